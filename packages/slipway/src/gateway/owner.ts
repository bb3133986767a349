import { readFile } from 'node:fs/promises'
import type { FastifyBaseLogger } from 'fastify'
import { identityError } from '@slipway/gateway/session/identity'
import { kubeconfigContext, kubeconfigFiles } from '@slipway/gateway/upstreams/kubeconfig'
import type { KubeClient } from '@slipway/kube/client'
import { parse } from 'yaml'
import { openKubeconfig, type KubeconfigAccess } from '../kubeconfig-access'

/** Whose kubeconfig it is, and which cluster it leads to. */
export interface Owner {
  user: string
  context: string
  server: string
}

const askMs = 10_000

/**
 * Asks the cluster who the kubeconfig's credentials belong to; one that is too old to know, or does not answer, leaves
 * the name that the kubeconfig has for its user.
 * @throws Error with one sentence for a kubeconfig that cannot be used
 */
export async function ownerOf(
  access: KubeconfigAccess,
  env: NodeJS.ProcessEnv,
  log: FastifyBaseLogger,
): Promise<Owner> {
  const { kubernetes, close } = await openKubeconfig(access, { env, log, firstByteMs: askMs })
  try {
    const files = kubeconfigFiles(access.kubeconfig).map(async (path) => ({
      path,
      content: parse(await readFile(path, 'utf8')) as unknown,
    }))
    const { name: context, user, server } = kubeconfigContext(await Promise.all(files), access.context)
    const names = [await reviewedName(kubernetes.kubeClient, log), user, context]
    // A name that cannot be told apart from another is none: it is only for its owner to read here.
    return { user: names.find((name) => name && !identityError({ user: name })) ?? 'owner', context, server }
  } finally {
    await close()
  }
}

async function reviewedName(client: KubeClient, log: FastifyBaseLogger): Promise<string | undefined> {
  try {
    const review = await client.request<{ status?: { userInfo?: { username?: unknown } } }>(
      '/apis/authentication.k8s.io/v1/selfsubjectreviews',
      {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' }),
      },
    )
    const name = review.status?.userInfo?.username
    return typeof name === 'string' ? name : undefined
  } catch (error) {
    log.warn({ cause: (error as Error).message }, 'the cluster does not say who the kubeconfig belongs to')
    return undefined
  }
}
