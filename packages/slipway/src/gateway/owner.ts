import { readFile } from 'node:fs/promises'
import type { FastifyBaseLogger } from 'fastify'
import { identityError } from '@slipway/gateway/session/identity'
import { kubeconfigContext, kubeconfigFiles } from '@slipway/gateway/upstreams/kubeconfig'
import type { KubeClient } from '@slipway/kube/client'
import { selfSubjectReviewType } from '@slipway/kube/core-types'
import { parse } from 'yaml'
import { openKubeconfig, type KubeconfigAccess } from '../kubeconfig-access'

/** The user of a kubeconfig, and its cluster. */
export interface Owner {
  user: string
  context: string
  server: string
}

const firstByteMs = 10_000

/**
 * Asks the cluster for the username of the kubeconfig's credentials. If the cluster is too old or does not respond, the
 * name comes from the kubeconfig.
 * @throws ConfigError for an unusable kubeconfig
 */
export async function ownerOf(
  access: KubeconfigAccess,
  env: NodeJS.ProcessEnv,
  log: FastifyBaseLogger,
): Promise<Owner> {
  const { kubernetes, close } = await openKubeconfig(access, { env, log, firstByteMs })
  try {
    const files = kubeconfigFiles(access.kubeconfig).map(async (path) => ({
      path,
      content: parse(await readFile(path, 'utf8')) as unknown,
    }))
    const { name: context, user, server } = kubeconfigContext(await Promise.all(files), access.context)
    const names = [await reviewedName(kubernetes.kubeClient, log), user, context]
    // Skip ambiguous names. The name is only shown to the owner.
    return { user: names.find((name) => name && !identityError({ user: name })) ?? 'owner', context, server }
  } finally {
    await close()
  }
}

async function reviewedName(client: KubeClient, log: FastifyBaseLogger): Promise<string | undefined> {
  try {
    const name: unknown = (await client.review(selfSubjectReviewType, undefined))?.userInfo?.username
    return typeof name === 'string' ? name : undefined
  } catch (error) {
    log.warn({ cause: (error as Error).message }, 'the cluster does not report the user of the kubeconfig')
    return undefined
  }
}
