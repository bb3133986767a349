import { readFile } from 'node:fs/promises'
import type { Clock } from '@slipway/kube/clock'
import { configError } from './config-error'
import type { Log } from './log'

/** Files whose content changes while the process runs: tokens and certificates are rotated in place. */
export interface WatchedFiles {
  /**
   * The content as of at most two seconds ago. If a file can no longer be read, its last content is used, since a
   * rotation may be in progress.
   * @throws ConfigError if it could never be read
   */
  read(path: string): Promise<string>
}

interface WatchedFile {
  checkedAt: number
  content: Promise<string>
  isFailing: boolean
}

const rereadMs = 2_000

export function watchedFiles({ clock, log }: { clock: Clock; log: Log }): WatchedFiles {
  const files = new Map<string, WatchedFile>()

  async function reread(path: string, known: WatchedFile): Promise<string> {
    const last = await known.content
    try {
      const text = await readContent(path)
      known.isFailing = false
      return text
    } catch (error) {
      if (!known.isFailing)
        log.error({ cause: messageOf(error) }, 'a file can no longer be read; using its last content')
      known.isFailing = true
      return last
    }
  }

  return {
    read(path) {
      const known = files.get(path)
      if (known) {
        if (clock.now() - known.checkedAt >= rereadMs) {
          known.checkedAt = clock.now()
          known.content = reread(path, known)
        }
        return known.content
      }
      const content = readContent(path)
      files.set(path, { checkedAt: clock.now(), content, isFailing: false })
      // There is no earlier content to fall back on: the next call tries again.
      content.catch(() => files.delete(path))
      return content
    },
  }
}

/** Opens the path each time: a kubelet rotates files by pointing a symbolic link at another folder. */
async function readContent(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EISDIR') throw configError`${path} is a folder, but must be a file.`
    throw configError`${path} cannot be read (${error.code ?? error.message}).`
  })
  if (text.trim() === '') throw configError`${path} is empty.`
  return text
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
