import type { GatewayConfig, KubernetesConfig, PluginConfig, ServiceConfig } from '../config'

export interface KubernetesSettings {
  name: string
  access: KubernetesConfig['access']
  as: KubernetesConfig['as']
  unavailable?: KubernetesConfig['unavailable']
  /** Empty for all namespaces. */
  namespaceSelector: string
}

export interface UpstreamSettings {
  /** Whether only this machine can reach the gateway, so that otherwise unsafe settings are allowed. */
  isLocal: boolean
  kubernetes: KubernetesSettings
  namespaceLister: ServiceConfig | undefined
  tektonResults: PluginConfig | undefined
  kubeArchive: PluginConfig | undefined
}

type UpstreamConfigs = Pick<
  GatewayConfig,
  'kubernetes' | 'namespaceLister' | 'tektonResults' | 'kubeArchive' | 'signIn'
>

/** @throws Error with a sentence that says what to change */
export function upstreamSettings(config: UpstreamConfigs, isLocal: boolean): UpstreamSettings {
  const { kubernetes, namespaceLister, tektonResults, kubeArchive, signIn } = config
  const { access, as, name = 'kubernetes', namespaceSelector = '', unavailable } = kubernetes
  if (as === 'own' && !isLocal) {
    throw new Error(
      "kubernetes.as 'own' gives every user the gateway's credentials, which is only allowed on loopback.",
    )
  }
  if (as === 'id-token' && 'frontProxy' in signIn) {
    throw new Error("kubernetes.as 'id-token' needs signIn.oidc: a front proxy does not forward an ID token.")
  }
  const services = {
    'kubernetes.access': 'url' in access ? access : undefined,
    namespaceLister,
    tektonResults,
    kubeArchive,
  }
  for (const [option, service] of Object.entries(services)) if (service) checkService(option, service, isLocal)
  if ('url' in access && access.token !== undefined && access.tokenFile !== undefined) {
    throw new Error('kubernetes.access has both a token and a tokenFile. Remove one of them.')
  }
  return {
    isLocal,
    kubernetes: { name, access, as, namespaceSelector, unavailable },
    namespaceLister,
    tektonResults,
    kubeArchive,
  }
}

function checkService(option: string, { url, insecureSkipTlsVerify }: ServiceConfig, isLocal: boolean): void {
  parseServiceUrl(option, url)
  if (insecureSkipTlsVerify) rejectInsecure(option, isLocal)
}

/** @throws Error unless only this machine can reach the gateway */
export function rejectInsecure(option: string, isLocal: boolean): void {
  if (!isLocal) throw new Error(`${option} skips the verification of TLS, which is only allowed on loopback.`)
}

/** @throws Error with a sentence that says what to change */
export function parseServiceUrl(option: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    throw new Error(`The URL of ${option} must be http or https, without credentials and without a query.`)
  }
  return url
}
