import { isRecord } from '@slipway/kube/object'
import { containersOf, recordsIn } from '../builtin/pod-defaults'
import { pods } from '../builtin/pods'
import { serviceAccounts } from '../builtin/serviceaccounts'
import { randomSuffix, type Random } from '../random'
import { deserialize } from '../registry/objects'
import { collectionOf, keyOf, type AnyObject } from '../resource'
import { forbiddenWrite, type Admission } from '../registry/writer'
import type { Storage } from '../storage/storage'

/**
 * Sets what a pod gets from its service account, its priority, and the tolerations of every pod.
 * Source: plugin/pkg/admission/serviceaccount, priority and defaulttolerationseconds of Kubernetes.
 */

export interface PodAdmissionParts {
  storage: Storage
  random: Random
  /** Resolves when the controllers have no work left. */
  settled(): Promise<void>
}

const defaultAccount = 'default'

export const podAdmission =
  ({ storage, random, settled }: PodAdmissionParts): Admission =>
  async ({ resource, object, old }) => {
    const { spec } = object
    if (resource !== pods || !isRecord(spec)) return
    spec['serviceAccountName'] ??= (isRecord(old?.['spec']) && old['spec']['serviceAccountName']) || defaultAccount
    spec['serviceAccount'] = spec['serviceAccountName']
    if (!old) {
      const account = await accountOf(spec)
      if (mayMountToken(account, spec)) mountToken(spec, random)
      const pullSecrets = recordsIn(account['imagePullSecrets'])
      if (recordsIn(spec['imagePullSecrets']).length === 0 && pullSecrets.length > 0) {
        spec['imagePullSecrets'] = pullSecrets.map(({ name }) => ({ name }))
      }
    }
    setPriority(spec, old)
    addTolerations(spec)

    async function accountOf({ serviceAccountName }: Record<string, unknown>): Promise<AnyObject> {
      const { namespace = '', name, generateName = '' } = object.metadata
      const account = String(serviceAccountName)
      const find = () => storage.get(collectionOf(serviceAccounts.type), keyOf(namespace, account))
      let stored = find()
      if (!stored && account === defaultAccount) {
        // A controller creates it after its namespace.
        await settled()
        stored = find()
      }
      if (stored) return deserialize(serviceAccounts, stored)
      const detail = `serviceaccount ${JSON.stringify(account)} not found`
      throw forbiddenWrite(
        resource,
        name ?? generateName,
        `error looking up service account ${namespace}/${account}: ${detail}`,
      )
    }

    function setPriority(podSpec: Record<string, unknown>, before: AnyObject | undefined) {
      const { priority, preemptionPolicy } = before && isRecord(before['spec']) ? before['spec'] : defaultPriority
      const { name, generateName = '' } = object.metadata
      const denied = (detail: string) => forbiddenWrite(resource, name ?? generateName, detail)
      if (!before && podSpec['priorityClassName']) {
        throw denied(`no PriorityClass with name ${String(podSpec['priorityClassName'])} was found`)
      }
      if (!before && podSpec['priority'] !== undefined && podSpec['priority'] !== priority) {
        throw denied(
          `the integer value of priority (${String(podSpec['priority'])}) must not be provided in pod spec; ` +
            `priority admission controller computed ${String(priority)} from the given PriorityClass name`,
        )
      }
      if (priority !== undefined) podSpec['priority'] ??= priority
      if (preemptionPolicy !== undefined) podSpec['preemptionPolicy'] ??= preemptionPolicy
    }
  }

/** PriorityClasses are not served. */
const defaultPriority: Record<string, unknown> = { priority: 0, preemptionPolicy: 'PreemptLowerPriority' }

const mayMountToken = (account: AnyObject, spec: Record<string, unknown>): boolean =>
  (spec['automountServiceAccountToken'] ?? account['automountServiceAccountToken'] ?? true) === true

const tokenPath = '/var/run/secrets/kubernetes.io/serviceaccount'
const volumePrefix = 'kube-api-access-'

const tokenVolume = {
  projected: {
    sources: [
      { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
      { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
      {
        downwardAPI: {
          items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
        },
      },
    ],
    defaultMode: 420,
  },
}

function mountToken(spec: Record<string, unknown>, random: Random) {
  const volumes = recordsIn(spec['volumes'])
  const known = volumes.map(({ name }) => String(name)).find((name) => name.startsWith(volumePrefix))
  const name = known ?? `${volumePrefix}${randomSuffix(random)}`
  const unmounted = containersOf(spec).filter((container) =>
    recordsIn(container['volumeMounts']).every(({ mountPath }) => mountPath !== tokenPath),
  )
  for (const container of unmounted) {
    const mount = { name, readOnly: true, mountPath: tokenPath }
    container['volumeMounts'] = [...recordsIn(container['volumeMounts']), mount]
  }
  if (!known && unmounted.length > 0) spec['volumes'] = [...volumes, { name, ...structuredClone(tokenVolume) }]
}

const toleratedTaints = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable']

function addTolerations(spec: Record<string, unknown>) {
  const given = recordsIn(spec['tolerations'])
  const isTolerated = (taint: string) =>
    given.some(({ key, effect }) => (!key || key === taint) && (!effect || effect === 'NoExecute'))
  const added = toleratedTaints
    .filter((taint) => !isTolerated(taint))
    .map((key) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 }))
  if (added.length > 0) spec['tolerations'] = [...given, ...added]
}
