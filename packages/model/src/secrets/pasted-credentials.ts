import { base64ToText } from '@slipway/kube/base64'
import { isRecord } from '@slipway/kube/object'
import { asRecord, parseJson } from '@slipway/kube/parse'
import { credentialsIn, dockerHub, parseRegistryConfig, type RegistryCredentials } from './registry-config'

/** Longer texts are not credentials that a user copied. */
const maxLength = 1_048_576

/**
 * Finds registry credentials in what users copy from elsewhere: a `docker login` command (or that of `podman`, `helm`
 * and others), a `config.json` or `.dockercfg`, or the Secret that a registry offers for a robot account.
 * @returns empty if there are none
 */
export function parsePastedCredentials(text: string): RegistryCredentials[] {
  if (text.length > maxLength) return []
  const command = parseLoginCommand(text)
  if (command) return [command]
  return inConfig(text) || inSecret(text) || []
}

/** `undefined` for text that is not a configuration file. */
function inConfig(text: string): RegistryCredentials[] | undefined {
  const config = parseRegistryConfig(text)
  if (typeof config === 'string') return undefined
  const found = config.entries.flatMap(([registry, entry]) => credentialsIn(registry, entry) ?? [])
  return found.length > 0 ? found : undefined
}

/** The configuration file in a Secret, as YAML or JSON. */
function inSecret(text: string): RegistryCredentials[] | undefined {
  const object = parseJson(text)
  const { data, stringData } = isRecord(object) ? object : { data: dataInYaml(text), stringData: undefined }
  for (const key of ['.dockerconfigjson', '.dockercfg']) {
    const plain = asRecord(stringData)[key]
    const encoded = asRecord(data)[key]
    const config = typeof plain === 'string' ? plain : typeof encoded === 'string' ? base64ToText(encoded) : undefined
    const found = config === undefined ? undefined : inConfig(config)
    if (found) return found
  }
  return undefined
}

/** Reads only the line of interest, which registries write in one of few ways: a YAML parser would be 30 KiB. */
function dataInYaml(text: string): Record<string, string> {
  const [, key, value] =
    /^\s*["']?(\.dockerconfigjson|\.dockercfg)["']?:\s*(?:[>|][-+]?\s*)?["']?([A-Za-z0-9+/]+={0,2})["']?\s*$/m.exec(
      text,
    ) ?? []
  return key && value ? { [key]: value } : {}
}

/** Options of the tools that have a value, besides the username, password and e-mail. */
const otherOptions = new Set([
  '--authfile',
  '--ca-file',
  '--cert-dir',
  '--cert-file',
  '--compat-auth-file',
  '--config',
  '--key-file',
  '--registry-config',
  '--secret',
])

const toolPattern = /^(?:docker|podman|helm|oras|buildah|skopeo|nerdctl|crane|cosign|regctl|finch)$/

function parseLoginCommand(text: string): RegistryCredentials | undefined {
  const words = shellWords(text)
  const login = words?.indexOf('login') ?? -1
  if (!words || login < 1) return undefined
  // The tool comes right before `login`, or before a subcommand as in `helm registry login`.
  const tool = words.slice(Math.max(0, login - 2), login).find((word) => toolPattern.test(word.replace(/^.*\//, '')))
  if (!tool) return undefined
  const end = words.findIndex((word, index) => index > login && /^(?:&&|\|\|?|;|<|<<<|>)$/.test(word))
  const found = { username: '', password: '', email: '', registry: '' }
  const options = words.slice(login + 1, end < 0 ? undefined : end)
  for (let index = 0; index < options.length; index++) {
    const [, name = '', inline] = /^(--?[A-Za-z][A-Za-z-]*)(?:=([^]*))?$/.exec(options[index] ?? '') ?? []
    const member = memberOf(name)
    if (member) found[member] = inline ?? options[++index] ?? ''
    else if (otherOptions.has(name)) index += inline === undefined ? 1 : 0
    else if (!name && !found.registry) found.registry = options[index] ?? ''
  }
  found.password ||= pipedPassword(words.slice(0, login)) ?? ''
  const { username, password } = found
  return username && password ? { ...found, registry: found.registry || dockerHub } : undefined
}

function memberOf(option: string): 'username' | 'password' | 'email' | undefined {
  if (option === '-u' || option === '--username') return 'username'
  if (option === '-p' || option === '--password') return 'password'
  return option === '-e' || option === '--email' ? 'email' : undefined
}

/** The text of `echo text |` in front of a command with `--password-stdin`; not that of a variable or a file. */
function pipedPassword(before: readonly string[]): string | undefined {
  const pipe = before.lastIndexOf('|')
  const text = pipe > 0 ? before[pipe - 1] : undefined
  const isEchoed = before.slice(0, pipe).some((word) => word === 'echo' || word === 'printf')
  return isEchoed && text && !text.startsWith('$') ? text : undefined
}

/** Splits a command as a shell does, but expands nothing; `undefined` for unbalanced quotes. */
function shellWords(text: string): string[] | undefined {
  const words: string[] = []
  let word: string | undefined
  let quote: string | undefined
  const characters = text.trim().replace(/\\\r?\n/g, ' ')
  for (let index = 0; index < characters.length; index++) {
    const character = characters.charAt(index)
    const next = characters.charAt(index + 1)
    if (character === quote) quote = undefined
    else if (quote === "'" || (quote && character !== '\\')) word = (word ?? '') + character
    else if (character === '\\' && (!quote || /["\\$`]/.test(next))) {
      word = (word ?? '') + next
      index++
    } else if (quote) word = (word ?? '') + character
    else if (character === '"' || character === "'") {
      quote = character
      word ??= ''
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else word = (word ?? '') + character
  }
  if (quote) return undefined
  return word === undefined ? words : [...words, word]
}
