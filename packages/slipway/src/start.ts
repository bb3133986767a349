import { type FrontOptions, startFront } from './front'
import { Running } from './running'
import { assertConsoleIsBuilt, describe, type RunningSlipway } from './running-slipway'
import { type ServicesOptions, startServices } from './services'

export type { RunningSlipway }

export interface StartOptions extends FrontOptions, ServicesOptions {}

/**
 * Starts everything in this process: the API server and its services, the sign-in provider, and the gateway with the
 * console. The command runs the API server in a separate process instead (`startSupervised`).
 * @throws StartError for problems that the user can fix
 */
export async function startSlipway(options: StartOptions): Promise<RunningSlipway> {
  assertConsoleIsBuilt(options)
  const running = new Running()
  try {
    const services = await startServices(options)
    running.add(() => services.close())
    const front = await startFront(options, {
      ...services,
      plugins: { ...services.archive?.plugins, views: services.views?.plugin },
    })
    running.add(() => front.close())
    await services.begin({ consoleUrl: front.consoleUrl })
    return describe(front, services, () => running.close())
  } catch (error) {
    await running.close()
    throw error
  }
}
