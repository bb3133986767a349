// Builds etcd, kube-apiserver, kube-controller-manager and kubectl from their Go modules. The two go.mod files next to this
// file set the versions.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ExitError } from '../lib/exit-error.mjs'
import { buildProgram, programFolder } from '../lib/go-programs.mjs'
import { inRepository } from '../lib/repository.mjs'

const folderOf = (/** @type {'etcd' | 'kubernetes'} */ module) => `scripts/control-plane/${module}`
const controlPlaneFolder = () => programFolder('control-plane', [folderOf('etcd'), folderOf('kubernetes')])
const programNames = /** @type {const} */ (['etcd', 'kube-apiserver', 'kube-controller-manager', 'kubectl'])

export const isControlPlaneBuilt = () => programNames.every((name) => existsSync(join(controlPlaneFolder(), name)))

/**
 * Builds programs that are not in the cache. The first time takes about 1,000 CPU seconds and 3 GB of Go's build cache.
 * @param {{ isInBackground?: boolean }} [options]
 * @returns the path of each program
 */
export async function buildControlPlane(options) {
  const folder = controlPlaneFolder()
  const build = async (
    /** @type {string} */ program,
    /** @type {import('../lib/go-programs.mjs').Source} */ source,
  ) => {
    await buildProgram(join(folder, program), source, options)
    return join(folder, program)
  }
  const ofKubernetes = (/** @type {string} */ program) =>
    build(program, {
      module: folderOf('kubernetes'),
      main: `k8s.io/kubernetes/cmd/${program}`,
      linkerFlags: versionFlags(),
    })
  return {
    etcd: await build('etcd', { module: folderOf('etcd'), main: 'go.etcd.io/etcd/server/v3' }),
    'kube-apiserver': await ofKubernetes('kube-apiserver'),
    'kube-controller-manager': await ofKubernetes('kube-controller-manager'),
    kubectl: await ofKubernetes('kubectl'),
  }
}

/** Without these a server reports v0.0.0 as its version. */
function versionFlags() {
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
  const goMod = readFileSync(inRepository(folderOf('kubernetes'), 'go.mod'), 'utf8')
  const [, version, major, minor] = /\n\tk8s\.io\/kubernetes (v(\d+)\.(\d+)\.\d+)|$/.exec(`\n${goMod}`) ?? []
  if (!version) throw new ExitError('scripts/control-plane/kubernetes/go.mod does not require k8s.io/kubernetes.')
  return { version, major, minor }
}
