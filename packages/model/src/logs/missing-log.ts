/**
 * Sentences of kubelets and container runtimes that are delivered in place of a log, with status 200, once the node no
 * longer has it. Sources: pkg/kubelet/kuberuntime (`GetContainerLogs`, `ReadLogs`) of Kubernetes; containerd, CRI-O.
 */
const notices = [
  /^unable to retrieve container logs for \w[\w+.-]*:\/\/\S+$/,
  /^failed to get container status .+: rpc error: code = NotFound .+$/,
  /^failed to try resolving symlinks in path "\/var\/log\/[^"]+": .+$/,
  /^failed to open log file "\/var\/log\/[^"]+": .+$/,
  /^rpc error: code = NotFound desc = an error occurred when try to find container .+$/,
  /^(?:Error response from daemon: )?No such container: \S+$/,
]
/** Messages have a path and two identifiers. */
const longestNotice = 1_000

/** Whether a log as a whole, read without timestamps, is only the sentence that there is none. */
export function isMissingLogNotice(log: string): boolean {
  if (log.length > longestNotice) return false
  // Some runtimes and proxies say so first.
  const text = log.trim().replace(/^error: /i, '')
  return notices.some((notice) => notice.test(text))
}
