# bash completion for voxpilot.
_voxpilot() {
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} IFS=$'\n'
	compopt -o filenames 2>/dev/null
	COMPREPLY=()
	if [[ $prev == --folder ]]; then
		mapfile -t COMPREPLY < <(compgen -d -- "$cur")
		return
	fi
	case ${COMP_WORDS[1]:-} in
	blame)
		mapfile -t COMPREPLY < <(compgen -W $'--json' -- "$cur"; compgen -f -- "$cur")
		;;
	review) mapfile -t COMPREPLY < <(compgen -W $'--help' -- "$cur"; compgen -d -- "$cur") ;;
	doctor) mapfile -t COMPREPLY < <(compgen -W $'--json' -- "$cur") ;;
	quick | ask) mapfile -t COMPREPLY < <(compgen -W $'--folder' -- "$cur") ;;
	*)
		if ((COMP_CWORD == 1)); then
			mapfile -t COMPREPLY < <(compgen -W $'quick\nask\nblame\nreview\ndoctor\n--hidden\n--version\n--help' -- "$cur"; compgen -d -- "$cur")
		elif [[ $prev == --hidden ]]; then
			mapfile -t COMPREPLY < <(compgen -d -- "$cur")
		fi
		;;
	esac
}
complete -F _voxpilot voxpilot
