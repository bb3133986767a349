// Builds etcd, kube-apiserver, kube-controller-manager and kubectl from their Go modules: no containers, and no downloads
// except from the Go module proxy. The two go.mod files next to this file set the versions.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { ExitError } from '../lib/exit-error.mjs'
import { withProgress } from '../lib/progress.mjs'
import { inRepository } from '../lib/repository.mjs'
import { run } from '../lib/run.mjs'

/** @typedef {'etcd' | 'kube-apiserver' | 'kube-controller-manager' | 'kubectl'} Program */

/** @type {{ program: Program, module: 'etcd' | 'kubernetes', main: string }[]} */
const programs = [
  { program: 'etcd', module: 'etcd', main: 'go.etcd.io/etcd/server/v3' },
  { program: 'kube-apiserver', module: 'kubernetes', main: 'k8s.io/kubernetes/cmd/kube-apiserver' },
  { program: 'kube-controller-manager', module: 'kubernetes', main: 'k8s.io/kubernetes/cmd/kube-controller-manager' },
  { program: 'kubectl', module: 'kubernetes', main: 'k8s.io/kubernetes/cmd/kubectl' },
]

/** Whether Go is installed. */
export const hasGo = async () => (await run(['go', 'version'], { quiet: true })).exitCode === 0

/**
 * Builds programs that are not in the cache. The first time takes about 1,000 CPU seconds and 3 GB of Go's build cache.
 * @param {{ isInBackground?: boolean }} [options]
 * @returns {Promise<Record<Program, string>>} path of each program
 */
export async function buildControlPlane({ isInBackground = false } = {}) {
  const folder = join(cacheFolder(), contentHash())
  mkdirSync(folder, { recursive: true })
  for (const { program, module, main } of programs) {
    const path = join(folder, program)
    if (existsSync(path)) continue
    // Renamed once complete, so that an interrupted build leaves nothing that looks like a program.
    const unfinished = `${path}.${process.pid}`
    await withProgress(`Building ${program}`, async () => {
      const command = ['go', 'build', '-trimpath', '-ldflags', linkerFlags(module), '-o', unfinished, main]
      const { exitCode, output } = await run(command, {
        cwd: inRepository('scripts/control-plane', module),
        env: { CGO_ENABLED: '0', GOFLAGS: '-mod=readonly', GOTOOLCHAIN: 'local' },
        quiet: true,
        isInBackground,
      })
      if (exitCode === 0) return renameSync(unfinished, path)
      rmSync(unfinished, { force: true })
      throw new ExitError(`${program} could not be built (see above). Is the Go module proxy reachable?`, output)
    })
  }
  const pathOf = (/** @type {Program} */ program) => join(folder, program)
  return {
    etcd: pathOf('etcd'),
    'kube-apiserver': pathOf('kube-apiserver'),
    'kube-controller-manager': pathOf('kube-controller-manager'),
    kubectl: pathOf('kubectl'),
  }
}

/** Outside the repository, so that clones share it and a new clone need not build for ten minutes. */
const cacheFolder = () => join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'slipway', 'control-plane')

/** Without these a server reports v0.0.0 as its version. @param {'etcd' | 'kubernetes'} module */
function linkerFlags(module) {
  if (module === 'etcd') return '-s -w'
  const { version, major, minor } = kubernetesVersion()
  const settings = ['k8s.io/component-base/version', 'k8s.io/client-go/pkg/version'].flatMap((path) => [
    `-X ${path}.gitVersion=${version}`,
    `-X ${path}.gitMajor=${major}`,
    `-X ${path}.gitMinor=${minor}`,
  ])
  return ['-s -w', ...settings].join(' ')
}

/** The version of Kubernetes that go.mod requires, such as `v1.35.4`, and its parts. */
export function kubernetesVersion() {
  const [, version, major, minor] =
    /\n\tk8s\.io\/kubernetes (v(\d+)\.(\d+)\.\d+)|$/.exec(`\n${goMod('kubernetes')}`) ?? []
  if (!version) throw new ExitError('scripts/control-plane/kubernetes/go.mod does not require k8s.io/kubernetes.')
  return { version, major, minor }
}

/** @param {string} module */
const goMod = (module) => readFileSync(inRepository('scripts/control-plane', module, 'go.mod'), 'utf8')

function contentHash() {
  const hash = createHash('sha256')
  for (const module of ['etcd', 'kubernetes']) {
    hash.update(goMod(module))
    hash.update(readFileSync(inRepository('scripts/control-plane', module, 'go.sum')))
  }
  return hash.digest('hex').slice(0, 16)
}
