import { Setting, type AccessSetting } from '@slipway/connect/config-error'
import type { PluginSetting } from './plugins/plugin-kinds'

/** Settings that error messages name, as in `GatewayConfig`. */
export type SettingName =
  | 'forwardedHops'
  | AccessSetting
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
export const setting = (name: SettingName): Setting => new Setting(name)
