import { execFile, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

/**
 * Runs containers with runc, which gets each from a bundle: a folder with a description. There is neither an image store
 * nor a network: containers share the root file systems that the caller has prepared, which they cannot write to, and the
 * network of the tests.
 */
export interface ContainerRuntime {
  run(container: ContainerProcess): RunningContainer
  /** Ends all containers. */
  close(): Promise<void>
}

export interface ContainerProcess {
  /** Root file system. */
  root: string
  args: string[]
  /** `NAME=value` */
  env: string[]
  workingDirectory: string
  user?: number
  /** Whether it has no capabilities and can get none, as the restricted Pod Security Standard asks. */
  isRestricted?: boolean
  /** Bytes; without a limit if undefined. */
  memoryLimit?: number
  mounts: BindMount[]
  onOutput(stream: OutputStream, bytes: Buffer): void
}

export type OutputStream = 'Stdout' | 'Stderr'

export interface BindMount {
  /** Path of the file or folder on this machine. */
  source: string
  /** Path in the container. */
  destination: string
  isReadOnly?: boolean
}

export interface ContainerExit {
  exitCode: number
  /** Whether the kernel has killed one of its processes, since they used more memory than allowed. */
  isOutOfMemory: boolean
  /** Why it did not start. */
  startError?: string
}

export interface RunningContainer {
  exited: Promise<ContainerExit>
  /** Sends a signal to the first process. */
  signal(name: NodeJS.Signals): Promise<void>
  /** Asks the first process to end, and kills it after a second. */
  kill(): void
}

interface RuntimeOptions {
  /** Path of the program. */
  runc: string
  /** Folder for bundles and for what runc remembers. */
  folder: string
}

const killAfterMs = 1_000

export function createContainerRuntime({ runc, folder }: RuntimeOptions): ContainerRuntime {
  const state = join(folder, 'runc')
  const running = new Set<RunningContainer>()
  let count = 0
  const call = (...args: string[]) => promisify(execFile)(runc, ['--root', state, ...args]).catch(() => undefined)

  function run(container: ContainerProcess): RunningContainer {
    const id = `slipway-test-${process.pid}-${++count}`
    const cgroup = `/${id}`
    const bundle = join(folder, 'bundles', id)
    mkdirSync(bundle, { recursive: true })
    writeFileSync(join(bundle, 'config.json'), JSON.stringify(configOf(container, cgroup)))
    const log = join(bundle, 'runc.log')
    const command = ['--root', state, '--log', log, 'run', '--keep', '--bundle', bundle, id]
    const child = spawn(runc, command, { stdio: ['ignore', 'pipe', 'pipe'] })
    child.stdout.on('data', (bytes: Buffer) => container.onOutput('Stdout', bytes))
    child.stderr.on('data', (bytes: Buffer) => container.onOutput('Stderr', bytes))
    let hasExited = false
    const exited = new Promise<number>((resolve, reject) => child.once('error', reject).once('close', resolve)).then(
      async (code): Promise<ContainerExit> => {
        hasExited = true
        const startError = startErrorIn(log)
        const exit = { exitCode: startError ? 128 : code, isOutOfMemory: isOutOfMemory(cgroup), startError }
        await call('delete', '--force', id)
        rmSync(bundle, { recursive: true })
        running.delete(started)
        return exit
      },
    )
    const kill = async () => {
      const killAtMs = performance.now() + killAfterMs
      // Nothing can be sent to a container that is still being created.
      while (!hasExited) {
        await call('kill', id, performance.now() < killAtMs ? 'TERM' : 'KILL')
        await Promise.race([exited, new Promise((resolve) => setTimeout(resolve, 200))])
      }
    }
    const started: RunningContainer = {
      exited,
      signal: async (name) => void (await call('kill', id, name)),
      kill: () => void kill(),
    }
    running.add(started)
    return started
  }

  return {
    run,
    async close() {
      const ending = [...running]
      for (const each of ending) each.kill()
      await Promise.all(ending.map(({ exited }) => exited))
    },
  }
}

/** Where the kernel has groups of processes with a limit of memory: version 1 and version 2. */
const memoryFolders = ['/sys/fs/cgroup/memory', '/sys/fs/cgroup']

function isOutOfMemory(cgroup: string): boolean {
  const files = memoryFolders.flatMap((folder) =>
    ['memory.oom_control', 'memory.events'].map((name) => join(folder, cgroup, name)),
  )
  return files.some((file) => existsSync(file) && /^oom_kill [1-9]/m.test(readFileSync(file, 'utf8')))
}

/** What runc reports if it could not start a program, such as one that is not in the image. */
function startErrorIn(log: string): string | undefined {
  const text = existsSync(log) ? readFileSync(log, 'utf8') : ''
  return /level=error msg="runc run failed: (.*)"$/m.exec(text)?.[1]
}

/** What containerd grants to containers by default. */
const capabilities = [
  ...['CAP_AUDIT_WRITE', 'CAP_CHOWN', 'CAP_DAC_OVERRIDE', 'CAP_FOWNER', 'CAP_FSETID', 'CAP_KILL', 'CAP_MKNOD'],
  ...[
    'CAP_NET_BIND_SERVICE',
    'CAP_NET_RAW',
    'CAP_SETFCAP',
    'CAP_SETGID',
    'CAP_SETPCAP',
    'CAP_SETUID',
    'CAP_SYS_CHROOT',
  ],
]

/** Source: the runtime specification of the Open Container Initiative, config.md and config-linux.md. */
const configOf = (
  { root, args, env, workingDirectory, user = 0, isRestricted = false, memoryLimit, mounts }: ContainerProcess,
  cgroup: string,
) => ({
  ociVersion: '1.0.2',
  process: {
    user: { uid: user, gid: user },
    args,
    env,
    cwd: workingDirectory,
    ...(isRestricted
      ? { capabilities: {}, noNewPrivileges: true }
      : { capabilities: { bounding: capabilities, effective: capabilities, permitted: capabilities } }),
    // If the machine runs out of memory, the kernel ends a container rather than another program.
    oomScoreAdj: 900,
  },
  root: { path: root, readonly: true },
  mounts: [
    { destination: '/proc', type: 'proc', source: 'proc' },
    { destination: '/dev', type: 'tmpfs', source: 'tmpfs', options: ['nosuid', 'mode=755'] },
    { destination: '/dev/pts', type: 'devpts', source: 'devpts', options: ['nosuid', 'noexec', 'newinstance'] },
    { destination: '/tmp', type: 'tmpfs', source: 'tmpfs', options: ['mode=1777'] },
    // A folder before what is mounted into it.
    ...[...mounts]
      .sort((a, b) => (a.destination < b.destination ? -1 : 1))
      .map(({ source, destination, isReadOnly }) => ({
        destination,
        type: 'bind',
        source,
        options: ['rbind', isReadOnly ? 'ro' : 'rw'],
      })),
  ],
  linux: {
    cgroupsPath: cgroup,
    resources: memoryLimit === undefined ? {} : { memory: { limit: memoryLimit, swap: memoryLimit } },
    namespaces: ['pid', 'mount', 'ipc', 'uts'].map((type) => ({ type })),
  },
})
