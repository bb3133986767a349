import { resolveSettings, type GatewayConfig } from '@slipway/gateway/config'
import { createSessions } from '@slipway/gateway/session/sessions'
import { systemClock } from '@slipway/kube/clock'

/** Starts a session as at the end of signing in, without a provider. Returns its `Cookie` header. */
export async function sessionCookie(config: GatewayConfig, email: string): Promise<string> {
  const { session, isHttps } = resolveSettings(config)
  const [preferredUsername = ''] = email.split('@')
  const identity = { user: email, email, preferredUsername, groups: [] }
  const cookies = await createSessions({ ...session, isHttps }, systemClock).start(identity)
  return cookies.map((cookie) => cookie.split(';', 1)[0]).join('; ')
}
