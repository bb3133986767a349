import { isRejection } from '@slipway/kube/status'

/**
 * Whether a plugin of the gateway is installed, by the response to a probe of it.
 * @throws what the probe threw if that is not known, since nothing has answered or the session has ended
 */
export const isInstalled = (probe: Promise<unknown>): Promise<boolean> =>
  probe.then(
    () => true,
    (error: unknown) => {
      if (!isRejection(error) || error.isSessionEnd) throw error
      return false
    },
  )
