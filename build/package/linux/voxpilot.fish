# Completion of voxpilot for fish.
complete -c voxpilot -f
complete -c voxpilot -n __fish_use_subcommand -a quick -d 'Open the quick prompt, or send a text'
complete -c voxpilot -n __fish_use_subcommand -a ask -d 'Send a text, wait, and print the answer'
complete -c voxpilot -n __fish_use_subcommand -a doctor -d 'Say whether all is well'
complete -c voxpilot -n __fish_use_subcommand -a '(__fish_complete_directories)'
complete -c voxpilot -n __fish_use_subcommand -l hidden -d 'Start without showing the window'
complete -c voxpilot -n __fish_use_subcommand -l version -d 'Print the version'
complete -c voxpilot -n __fish_use_subcommand -l help -d 'Print how it is used'
complete -c voxpilot -n '__fish_seen_subcommand_from quick ask' -l folder -r -a '(__fish_complete_directories)' -d 'The folder that it is about'
complete -c voxpilot -n '__fish_seen_subcommand_from doctor' -l json -d 'Print the report for programs'
