import { readFile } from 'node:fs/promises'
import { kubeconfigContext, kubeconfigFiles } from '@slipway/connect/kubeconfig'
import type { Log } from '@slipway/connect/log'
import { identityError } from '@slipway/gateway/session/identity'
import type { KubeClient } from '@slipway/kube/client'
import { selfSubjectReviewType } from '@slipway/kube/core-types'
import { asArray, asRecord, asText } from '@slipway/kube/parse'
import { parse } from 'yaml'
import { openKubeconfig, type KubeconfigAccess } from '../kubeconfig-access'

/** The user of a kubeconfig, and its cluster. */
export interface Owner {
  user: string
  /** Empty if the cluster does not say. */
  groups: string[]
  context: string
  server: string
}

const firstByteMs = 10_000

/**
 * Asks the cluster for the name and the groups of the user of the kubeconfig. If the cluster is too old or does not respond, the
 * name comes from the kubeconfig.
 * @throws ConfigError for an unusable kubeconfig
 */
export async function ownerOf(access: KubeconfigAccess, env: NodeJS.ProcessEnv, log: Log): Promise<Owner> {
  const { client, close } = await openKubeconfig(access, { env, log, firstByteMs })
  try {
    const files = kubeconfigFiles(access.kubeconfig).map(async (path) => ({
      path,
      content: parse(await readFile(path, 'utf8')) as unknown,
    }))
    const { name: context, user, server } = kubeconfigContext(await Promise.all(files), access.context)
    const reviewed = await review(client, log)
    const names = [asText(reviewed.username), user, context]
    // Skip ambiguous names. The name is only shown to the owner.
    const name = names.find((each) => each && !identityError({ user: each })) ?? 'owner'
    const groups = asArray(reviewed.groups).filter((group) => typeof group === 'string')
    return { user: name, groups, context, server }
  } finally {
    await close()
  }
}

async function review(client: KubeClient, log: Log): Promise<Record<string, unknown>> {
  try {
    return asRecord((await client.review(selfSubjectReviewType, undefined))?.userInfo)
  } catch (error) {
    log.warn({ cause: (error as Error).message }, 'the cluster does not report the user of the kubeconfig')
    return {}
  }
}
