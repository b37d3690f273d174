# fish completion for voxpilot.
complete -c voxpilot -f
complete -c voxpilot -n __fish_use_subcommand -a quick -d 'Open the quick prompt or send a message'
complete -c voxpilot -n __fish_use_subcommand -a ask -d 'Send a message, wait, and print the answer'
complete -c voxpilot -n __fish_use_subcommand -a blame -d 'Print the message behind each line of a file'
complete -c voxpilot -n __fish_use_subcommand -a review -d 'Review the uncommitted changes of a folder'
complete -c voxpilot -n __fish_use_subcommand -a doctor -d 'Check the setup of VoxPilot'
complete -c voxpilot -n __fish_use_subcommand -a '(__fish_complete_directories)'
complete -c voxpilot -n __fish_use_subcommand -l hidden -d 'Start without showing the window'
complete -c voxpilot -n __fish_use_subcommand -l version -d 'Print the version'
complete -c voxpilot -n __fish_use_subcommand -l help -d 'Show help'
complete -c voxpilot -n '__fish_seen_subcommand_from quick ask' -l folder -r -a '(__fish_complete_directories)' -d 'Folder to use'
complete -c voxpilot -n '__fish_seen_subcommand_from blame' -F
complete -c voxpilot -n '__fish_seen_subcommand_from blame' -l json -d 'Print the result as JSON'
complete -c voxpilot -n '__fish_seen_subcommand_from review' -a '(__fish_complete_directories)'
complete -c voxpilot -n '__fish_seen_subcommand_from review' -l help -d 'Show help for review'
complete -c voxpilot -n '__fish_seen_subcommand_from doctor' -l json -d 'Print the report as JSON'
