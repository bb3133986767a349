/** Who can do something about a failure: in the order in which the classes are checked, the most certain first. */
export const failureClasses = ['Policy', 'Registry', 'Infrastructure', 'Test', 'Code'] as const
export type FailureClass = (typeof failureClasses)[number]

/** What is known of a failed run. */
export interface FailureEvidence {
  /** Name of the task in the pipeline; absent if the run itself failed. */
  task?: string
  /** The kubelet's reason why the step exited, such as `OOMKilled`. */
  exitReason?: string
  /** Whether the task did not end in time, or could not start. */
  hasTimedOut?: boolean
  hasNotStarted?: boolean
  /** Whether the task verifies a policy. */
  isVerification?: boolean
  /** What the cluster says. */
  message: string
  /** The lines of the log around the first error; empty for a task without a log. */
  lines: readonly string[]
  /** The line of the error among them. */
  errorLine?: string
  /** Names of the tests that the log reports as failed. */
  failedTests?: readonly string[]
}

const exitsOfInfrastructure = new Set(['OOMKilled', 'Evicted', 'ContainerStatusUnknown', 'DeadlineExceeded'])

/** What registries answer, and what their clients say: from containers/image, go-containerregistry and containerd. */
const registryWords = new RegExp(
  [
    String.raw`\btoomanyrequests\b`,
    String.raw`\bmanifest (?:unknown|invalid)`,
    String.raw`\b(?:ErrImagePull|ImagePullBackOff|ImagePullFailed)\b`,
    String.raw`\b(?:pull|push|copy|pinging|initializing source|writing blob|reading manifest|trying to reuse blob)\b.*\b(?:image|registry|docker:\/\/|blob|manifest)`,
    String.raw`\b(?:unauthorized|denied): (?:authentication|access|requested access)`,
    String.raw`\bpinging container registry\b`,
  ].join('|'),
  'i',
)

/** What the network, a node or the cluster does to a program. */
const infrastructureWords = new RegExp(
  [
    String.raw`\bno space left on device\b`,
    String.raw`\bconnection (?:refused|reset|timed out)\b`,
    String.raw`\b(?:i\/o|TLS handshake|read|gateway) time-?out\b`,
    String.raw`\bcontext deadline exceeded\b`,
    String.raw`\b(?:no such host|could not resolve host|temporary failure in name resolution|server misbehaving)\b`,
    String.raw`\b(?:502|503|504) (?:bad gateway|service (?:temporarily )?unavailable|gateway time-?out)\b`,
    String.raw`\b(?:evicted|preempt\w*|exceeded quota|insufficient (?:cpu|memory)|node .* not ready|out of memory)\b`,
    String.raw`\betcdserver\b`,
    String.raw`\breturned error: 50[234]\b`,
  ].join('|'),
  'i',
)

const testWords = new RegExp(
  [
    String.raw`^--- FAIL`,
    String.raw`\bAssertionError\b`,
    String.raw`\b[1-9]\d* (?:failed|failing)\b`,
    String.raw`\bFailures: [1-9]`,
    String.raw`\bExpected\b.*\b(?:received|but (?:got|was))\b`,
  ].join('|'),
)

/** The class of a failure. What no rule knows is the code's: the program itself has said no more than that it failed. */
export function failureClassOf(failure: FailureEvidence): FailureClass {
  if (failure.isVerification) return 'Policy'
  const text = [failure.message, failure.errorLine ?? '']
  if (text.some((line) => registryWords.test(line))) return 'Registry'
  const isOfCluster =
    failure.hasTimedOut || failure.hasNotStarted || exitsOfInfrastructure.has(failure.exitReason ?? '')
  if (isOfCluster || text.some((line) => infrastructureWords.test(line))) return 'Infrastructure'
  if ((failure.failedTests ?? []).length > 0 || failure.lines.some((line) => testWords.test(line))) return 'Test'
  return 'Code'
}
