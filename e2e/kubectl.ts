import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { KubeObject } from '@slipway/kube/object'
import { patienceMs } from '../scripts/lib/patience.mjs'

export interface Kubectl {
  /** Runs kubectl as a user and returns its output; throws an error with its stderr. */
  (user: string, ...args: string[]): Promise<string>
  apply(user: string, object: KubeObject): Promise<string>
  /** `kubectl get --watch`: its lines as they arrive, until `stop`. */
  watch(user: string, ...args: string[]): { lines: AsyncIterator<string>; stop(): Promise<void> }
}

export interface KubectlOptions {
  kubectl: string
  kubeconfig: string
  cacheFolder: string
}

export function createKubectl({ kubectl, kubeconfig, cacheFolder }: KubectlOptions): Kubectl {
  const argsFor = (user: string, args: string[]) => [
    `--kubeconfig=${kubeconfig}`,
    `--cache-dir=${cacheFolder}`,
    `--context=${user}`,
    ...args,
  ]
  const run = (user: string, args: string[], input = '') =>
    new Promise<string>((resolve, reject) => {
      // Larger than the default: a secret may hold a megabyte.
      const options = { timeout: patienceMs, maxBuffer: 8_000_000 }
      const child = execFile(kubectl, argsFor(user, args), options, (error, stdout, stderr) =>
        error ? reject(new Error(`kubectl ${args.join(' ')}: ${stderr || error.message}`)) : resolve(stdout),
      )
      child.stdin?.end(input)
    })
  return Object.assign((user: string, ...args: string[]) => run(user, args), {
    apply: (user: string, object: KubeObject) => run(user, ['apply', '-f', '-'], JSON.stringify(object)),
    watch(user: string, ...args: string[]) {
      const child = spawn(kubectl, argsFor(user, args), { stdio: ['ignore', 'pipe', 'inherit'] })
      const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
      return { lines, stop: () => stop(child) }
    },
  })
}

async function stop(child: ChildProcess) {
  if (child.exitCode !== null) return
  child.kill()
  await once(child, 'exit')
}
