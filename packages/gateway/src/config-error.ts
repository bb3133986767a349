import type { PluginSetting } from './plugins/plugin-kinds'

/** Settings that error messages name, as in `GatewayConfig`. */
export type SettingName =
  | 'forwardedHops'
  | 'kubernetes.access'
  | 'kubernetes.access inCluster'
  | 'kubernetes.access kubeconfig'
  | "kubernetes.as 'id-token'"
  | "kubernetes.as 'own'"
  | 'namespaceLister'
  | 'plainHttp'
  | 'publicOrigins'
  | PluginSetting
  | 'tls'
  | 'tls.clientCaFile'
  | `limits.${string}`
  | `metrics.${'host' | 'isOpenToNetwork'}`
  | `session.${'absoluteMs' | 'cookieName' | 'idleMs' | 'recheckMs' | 'unconfirmedMs'}`
  | `signIn.frontProxy${'' | '.clientCertificateNames' | '.secret.header' | '.secret.value'}`
  | `signIn.oidc${'' | '.clientId' | '.clientSecret' | '.issuer' | '.keptGroups' | '.scopes'}`

/** A setting in the message of a ConfigError. */
export class Setting {
  readonly name: SettingName
  constructor(name: SettingName) {
    this.name = name
  }
}

export const setting = (name: SettingName): Setting => new Setting(name)

type Part = string | Setting

/** An invalid configuration. The message says what to change. */
export class ConfigError extends Error {
  readonly #parts: readonly Part[]

  constructor(parts: readonly Part[]) {
    super(textOf(parts, (name) => name))
    this.#parts = parts
  }

  /** The message with other names for settings, such as flags. */
  messageWith(nameOf: (setting: SettingName) => string): string {
    return textOf(this.#parts, nameOf)
  }
}

const textOf = (parts: readonly Part[], nameOf: (setting: SettingName) => string): string =>
  parts.map((part) => (typeof part === 'string' ? part : nameOf(part.name))).join('')

/** A ConfigError whose message is a template with settings. */
export const configError = (texts: TemplateStringsArray, ...values: readonly Part[]): ConfigError =>
  new ConfigError(texts.flatMap((text, index) => [text, values[index] ?? '']))
