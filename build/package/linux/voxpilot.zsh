#compdef voxpilot
# zsh completion for voxpilot.
_voxpilot() {
	local -a commands=(
		'quick:open the quick prompt or send a message'
		'ask:send a message, wait, and print the answer'
		'blame:print the message behind each line of a file'
		'review:review the uncommitted changes of a folder'
		'doctor:check the setup of VoxPilot'
	)
	if ((CURRENT == 2)); then
		_describe command commands
		_arguments '--hidden[start without showing the window]' '--version[print the version]' '--help[show help]'
		_path_files -/
		return
	fi
	case $words[2] in
	blame) _arguments '--json[print the result as JSON]' '*:file:_files' ;;
	review) _arguments '--help[show help for review]' ':folder:_path_files -/' ;;
	doctor) _arguments '--json[print the report as JSON]' ;;
	quick | ask) _arguments '--folder[folder to use]:folder:_path_files -/' ;;
	--hidden) _path_files -/ ;;
	esac
}
_voxpilot "$@"
