import type { Credentials } from '@slipway/connect/connection'
import type { HeaderSet, Outgoing, Service } from '@slipway/connect/service'
import { outgoingHeaders, type Purpose, type Sender } from './outgoing'

/** A service behind the gateway that is called for users. */
export interface Upstream extends Service {
  /**
   * Prepares one call, or several that belong together.
   * @throws HttpError 401 without a valid user, 502 without credentials
   */
  outgoing(sender: Sender, purpose?: Purpose): Promise<Outgoing>
}

/** @param identify the headers that identify the sender; throws HttpError 401 without a valid user, 502 without credentials */
export function createUpstream(
  service: Service,
  identify: (sender: Sender, credentials: Credentials) => HeaderSet | Promise<HeaderSet>,
): Upstream {
  return {
    ...service,
    async outgoing(sender, purpose = {}) {
      const credentials = await service.credentials()
      const identity = await identify(sender, credentials)
      return { headers: outgoingHeaders(sender, purpose, identity), tls: credentials.tls }
    },
  }
}
