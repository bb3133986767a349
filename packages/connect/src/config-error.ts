/** Settings of a connection to a Kubernetes API server. */
export type AccessSetting = `kubernetes.access${'' | ' inCluster' | ' kubeconfig'}`

/** A setting in the message of a ConfigError. */
export class Setting {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

type Part = string | Setting

/** An invalid configuration. The message says what to change. */
export class ConfigError extends Error {
  readonly #parts: readonly Part[]

  constructor(parts: readonly Part[]) {
    super(textOf(parts, (name) => name))
    this.#parts = parts
  }

  /** The message with other names for settings, such as flags. */
  messageWith(nameOf: (setting: string) => string): string {
    return textOf(this.#parts, nameOf)
  }
}

const textOf = (parts: readonly Part[], nameOf: (setting: string) => string): string =>
  parts.map((part) => (typeof part === 'string' ? part : nameOf(part.name))).join('')

/** A ConfigError whose message is a template with settings. */
export const configError = (texts: TemplateStringsArray, ...values: readonly Part[]): ConfigError =>
  new ConfigError(texts.flatMap((text, index) => [text, values[index] ?? '']))
