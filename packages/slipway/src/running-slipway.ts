import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createKubeClient, type KubeClient } from '@slipway/kube/client'
import type { ScenarioName } from '@slipway/simulator/scenario-names'
import type { Credentials } from './credentials'
import { StartError } from './start-error'
import type { Front, FrontOptions } from './front'

export interface RunningSlipway {
  /** URL of the console. */
  url: string
  /** URL of the Kubernetes API, over TLS. */
  apiUrl: string
  /** URL of the OpenID provider that signs users in. */
  signInUrl: string
  /** URL of the simulated git host. */
  gitHostUrl: string
  /** Scenario of the cluster; `undefined` if another version of Slipway created it. */
  scenario: ScenarioName | undefined
  /** Absent without a data folder. */
  kubeconfigPath: string | undefined
  /** Calls as the cluster administrator. */
  system: KubeClient
  close(): Promise<void>
}

/** @throws StartError */
export function assertConsoleIsBuilt({ assets }: FrontOptions): void {
  if (!assets || existsSync(join(assets, 'index.html'))) return
  throw new StartError(`The console is not built: there is no index.html in ${assets}. Run npm start, which builds it.`)
}

interface ServicesView extends Pick<RunningSlipway, 'apiUrl' | 'gitHostUrl' | 'scenario' | 'kubeconfigPath'> {
  privateApiUrl: string
  credentials: Pick<Credentials, 'tokens'>
}

/** Describes what was started, for users and tests. */
export function describe(
  { url, signInUrl }: Front,
  { apiUrl, privateApiUrl, gitHostUrl, scenario, kubeconfigPath, credentials }: ServicesView,
  close: () => Promise<void>,
): RunningSlipway {
  const headers = { authorization: `Bearer ${credentials.tokens.system}` }
  const system = createKubeClient({ baseUrl: privateApiUrl, headers })
  return { url, apiUrl, signInUrl, gitHostUrl, scenario, kubeconfigPath, system, close }
}
