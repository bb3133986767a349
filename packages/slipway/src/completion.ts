import { commands, flagsIn, type CommandName, type Flag } from './flags'
import { StartError } from './start-error'

const names = Object.keys(commands) as CommandName[] // It has no other keys.
/** Commands that are typed: without one, slipway starts everything. */
const others = names.filter((name) => name !== 'start')

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript }
const isShell = (name: string): name is keyof typeof scripts => Object.hasOwn(scripts, name)
const shells = Object.keys(scripts)

/**
 * The script with which a shell completes commands and options.
 * @param shell the arguments of the command
 * @throws StartError unless they are the name of one shell
 */
export function completionScript([shell = '', ...rest]: string[]): string {
  if (isShell(shell) && rest.length === 0) return scripts[shell]()
  throw new StartError(`slipway completion requires one shell: ${shells.join(', ')}.`)
}

const choicesOf = ({ value, choices }: Flag): readonly string[] =>
  choices ?? (value?.includes('|') ? value.split('|') : [])

/** The folder of a data folder, the shell of a script. */
const argumentsOf = (command: CommandName): 'folder' | 'shell' | undefined =>
  command === 'doctor' ? 'folder' : command === 'completion' ? 'shell' : undefined

/** Of a help that continues with a list, only the first line. */
const firstLine = (help: string): string => help.split('\n')[0] ?? ''

/** Also for the bash of macOS, version 3.2. */
function bashScript(): string {
  const values = names.flatMap((command) =>
    flagsIn(command).flatMap(([name, flag]) => {
      if (!flag.value) return []
      const choices = choicesOf(flag)
      const words = choices.length > 0 ? `words='${choices.join(' ')}'` : `return`
      return flag.value === 'file' || flag.value === 'folder' ? [] : [`    ${command}:--${name}) ${words} ;;`]
    }),
  )
  const options = names.map((command) => {
    const flags = flagsIn(command).map(([name]) => `--${name}`)
    const first = argumentsOf(command) === 'shell' ? shells : []
    return `      ${command}) words='${[...first, ...flags].join(' ')}' ;;`
  })
  return `# Completion of slipway for bash.
_slipway() {
  local word="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" command=start words=
  COMPREPLY=()
  if [[ $word == = ]]; then word=
  elif [[ $previous == = ]]; then previous="\${COMP_WORDS[COMP_CWORD-2]}"
  fi
  case "\${COMP_WORDS[1]}" in
    ${names.join('|')}) [[ $COMP_CWORD -gt 1 ]] && command="\${COMP_WORDS[1]}" ;;
  esac
  case "$command:$previous" in
${values.join('\n')}
  esac
  if [[ -z $words && ($word == -* || $COMP_CWORD -eq 1 || $command == completion) ]]; then
    case $command in
${options.join('\n')}
    esac
    [[ $COMP_CWORD -eq 1 ]] && words="${names.join(' ')} $words"
  fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _slipway slipway
`
}

/** Text within single quotes. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

function zshScript(): string {
  const described = (text: string) => text.replaceAll(/[[\]:\\]/g, '\\$&')
  const action = (flag: Flag) => {
    if (flag.value === 'file') return '_files'
    if (flag.value === 'folder') return '_files -/'
    const choices = choicesOf(flag)
    return choices.length > 0 ? `(${choices.join(' ')})` : ' '
  }
  const cases = names.map((command) => {
    const flags = flagsIn(command).map(([name, flag]) => {
      const value = flag.value ? `:${flag.value.replace('|', ' or ')}:${action(flag)}` : ''
      const option = `--${name}${flag.value ? '=' : ''}[${described(firstLine(flag.help))}]`
      return quoted(`${flag.isRepeated ? '*' : ''}${option}${value}`)
    })
    const argument = { folder: [quoted(':folder:_files -/')], shell: [quoted(`:shell:(${shells.join(' ')})`)] }
    const kind = argumentsOf(command)
    const all = [...(kind ? argument[kind] : []), ...flags]
    return `    ${command})\n      _arguments \\\n        ${all.join(' \\\n        ')}\n      ;;`
  })
  return `#compdef slipway
# Completion of slipway for zsh.
_slipway() {
  local command=start
  local -a commands
  commands=(
${names.map((name) => `    ${quoted(`${name}:${commands[name].summary}`)}`).join('\n')}
  )
  if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then
    _describe command commands
    return
  fi
  if (( $+commands[(r)$words[2]:*] )); then
    command=$words[2]
    shift words
    (( CURRENT-- ))
  fi
  case $command in
${cases.join('\n')}
  esac
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _slipway "$@"; else compdef _slipway slipway; fi
`
}

function fishScript(): string {
  const text = (value: string) => `'${value.replaceAll(/['\\]/g, '\\$&')}'`
  const within = (command: CommandName) =>
    command === 'start'
      ? `'not __fish_seen_subcommand_from ${others.join(' ')}'`
      : `'__fish_seen_subcommand_from ${command}'`
  const lines = names.flatMap((command) => [
    `complete -c slipway -n __fish_use_subcommand -a ${command} -d ${text(commands[command].summary)}`,
    ...flagsIn(command).map(([name, flag]) => {
      const choices = choicesOf(flag)
      const isPath = flag.value === 'file' || flag.value === 'folder'
      const value = [
        ...(flag.value ? [isPath ? '-r -F' : '-x'] : []),
        ...(choices.length > 0 ? [`-a ${text(choices.join(' '))}`] : []),
      ]
      return [
        'complete -c slipway',
        `-n ${within(command)}`,
        `-l ${name}`,
        ...value,
        `-d ${text(firstLine(flag.help))}`,
      ].join(' ')
    }),
  ])
  return `# Completion of slipway for fish.
complete -c slipway -f
${lines.join('\n')}
complete -c slipway -n ${within('doctor')} -a '(__fish_complete_directories)'
complete -c slipway -n ${within('completion')} -a '${shells.join(' ')}'
`
}
