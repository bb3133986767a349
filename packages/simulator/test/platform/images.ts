import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { controllerImages } from './real-tekton'
import type { Image } from './container-kubelet'

interface Programs {
  /** A static BusyBox: the commands of every image but Tekton's. */
  busybox: string
  /** Tekton's, which are each the only program of an image. */
  entrypoint: string
  nop: string
  workingdirinit: string
}

/**
 * Prepares the root file systems of images: those of Tekton have the one program that they have in a release, and every
 * other image has BusyBox.
 * @param folder for the files
 */
export function prepareImages({ busybox, ...programs }: Programs, folder: string): (name: string) => Image {
  const rootOf = (name: string) => {
    const root = join(folder, name)
    // What is mounted needs a folder, since the root is read-only.
    for (const each of ['dev', 'etc', 'proc', 'tmp']) mkdirSync(join(root, each), { recursive: true })
    return root
  }
  const tools = rootOf('tools')
  mkdirSync(join(tools, 'bin'))
  copyFileSync(busybox, join(tools, 'bin/busybox'))
  for (const command of execFileSync(busybox, ['--list'], { encoding: 'utf8' }).trim().split('\n')) {
    if (command !== 'busybox') symlinkSync('busybox', join(tools, 'bin', command))
  }
  writeFileSync(join(tools, 'etc/passwd'), 'root:x:0:0:root:/:/bin/sh\n')
  // A sidecar without a command runs until it is stopped.
  const other: Image = { root: tools, entrypoint: ['sleep', '3600'] }
  const images = new Map(
    Object.entries(programs).map(([name, program]): [string, Image] => {
      const root = rootOf(name)
      mkdirSync(join(root, 'ko-app'))
      copyFileSync(program, join(root, 'ko-app', name))
      return [`${controllerImages}/${name}:1`, { root, entrypoint: [`/ko-app/${name}`] }]
    }),
  )
  return (name) => images.get(name) ?? other
}
