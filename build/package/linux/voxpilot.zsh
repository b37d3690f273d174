#compdef voxpilot
# Completion of voxpilot for zsh.
_voxpilot() {
	local -a commands=(
		'quick:open the quick prompt, or send a text'
		'ask:send a text, wait, and print the answer'
		'doctor:say whether all is well'
	)
	if ((CURRENT == 2)); then
		_describe command commands
		_arguments '--hidden[start without showing the window]' '--version[print the version]' '--help[print how it is used]'
		_path_files -/
		return
	fi
	case $words[2] in
	doctor) _arguments '--json[print the report for programs]' ;;
	quick | ask) _arguments '--folder[the folder that it is about]:folder:_path_files -/' ;;
	--hidden) _path_files -/ ;;
	esac
}
_voxpilot "$@"
