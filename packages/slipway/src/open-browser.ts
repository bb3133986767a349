import { spawn } from 'node:child_process'

interface Opener {
  command: string
  args: (url: string) => string[]
}

/** Programs that open a URL in the user's browser; on other systems, such as Linux, it is `xdg-open`. */
const openers: Partial<Record<NodeJS.Platform, Opener>> = {
  darwin: { command: 'open', args: (url) => [url] },
  // The first argument in quotes is the title of a window.
  win32: { command: 'cmd', args: (url) => ['/c', 'start', '""', url] },
}
const defaultOpener: Opener = { command: 'xdg-open', args: (url) => [url] }

interface Options {
  /** Receives a hint if no browser can be opened. */
  report: (message: string) => void
  platform?: NodeJS.Platform
  /** Starts a program and returns its process. */
  start?: typeof spawnAlone
}

/** Opens a URL in a browser. It never throws and never waits: without a browser, it prints the URL to open. */
export function openBrowser(url: string, { report, platform = process.platform, start = spawnAlone }: Options): void {
  const { command, args } = openers[platform] ?? defaultOpener
  const hint = (reason: string) => report(`No browser could be opened (${reason}). Open ${url} yourself.`)
  const child = start(command, args(url))
  child.on('error', (error) => hint(error.message))
  child.on('exit', (code) => {
    if (code) hint(`${command} exited with code ${code}`)
  })
}

/** Starts a program that may outlive this process. */
function spawnAlone(command: string, args: string[]) {
  const child = spawn(command, args, { stdio: 'ignore', detached: true, windowsVerbatimArguments: true })
  child.unref()
  return child
}
