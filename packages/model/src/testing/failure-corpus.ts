import type { FailureClass, FailureEvidence } from '../failures/failure-class'
import { isErrorLine } from '../logs/log-commands'
import { randomNumbers } from './random-numbers'

/** Failures of known families, for what finds the same failure in several runs. */

export interface LabelledFailure {
  family: string
  class: FailureClass
  evidence: FailureEvidence
}

/** What one failure has of its own. */
interface Particulars {
  hex: (length: number) => string
  number: (below: number) => number
  word: () => string
  time: () => string
  path: (extension: string) => string
}

interface Family {
  class: FailureClass
  task: string
  /** The lines around the error, as programs of that kind write them. */
  lines: (own: Particulars) => string[]
  more?: Partial<FailureEvidence> | ((own: Particulars) => Partial<FailureEvidence>)
}

const words = [
  'checkout',
  'ledger',
  'refunds',
  'gateway',
  'search',
  'invoice',
  'pricing',
  'session',
  'catalog',
  'audit',
]

const families: Record<string, Family> = {
  'registry answers too many requests': {
    class: 'Registry',
    task: 'build-container',
    lines: ({ word, hex, number }) => [
      `STEP ${number(9)}/12: FROM quay.io/${word()}/base@sha256:${hex(64)}`,
      `Error: reading manifest sha256:${hex(64)} in quay.io/${word()}/base: toomanyrequests: too many requests`,
    ],
  },
  'image does not exist': {
    class: 'Registry',
    task: 'build-container',
    lines: ({ word, hex }) => [
      `Trying to pull quay.io/${word()}/${word()}:${hex(7)}...`,
      `Error: creating build container: initializing source docker://quay.io/${word()}/${word()}:${hex(7)}: manifest unknown`,
    ],
  },
  'push is not authorized': {
    class: 'Registry',
    task: 'build-container',
    lines: ({ word, hex, time }) => [
      `${time()} Copying blob sha256:${hex(64)}`,
      `Error: writing blob: initiating layer upload to /v2/${word()}/${word()}/blobs/uploads/ in quay.io: unauthorized: access to the requested resource is not authorized`,
    ],
  },
  'git host has no address': {
    class: 'Infrastructure',
    task: 'clone-repository',
    lines: ({ word, number }) => [
      `Cloning into '/workspace/output/${word()}'...`,
      `fatal: unable to access 'https://github.com/${word()}/${word()}-${number(90)}/': Could not resolve host: github.com`,
    ],
  },
  'proxy for packages is down': {
    class: 'Infrastructure',
    task: 'prefetch-dependencies',
    lines: ({ word, number, time }) => [
      `${time()} INFO fetching ${word()} v${number(9)}.${number(20)}.${number(9)}`,
      `${time()} ERROR Get "https://proxy.golang.org/github.com/${word()}/${word()}/@v/v${number(9)}.${number(20)}.0.zip": 503 Service Unavailable`,
    ],
  },
  'disk is full': {
    class: 'Infrastructure',
    task: 'build-container',
    lines: ({ hex, word }) => [
      `COPY ${word()} /app`,
      `error: storing layer "${hex(64)}": write /var/lib/containers/storage/overlay/${hex(64)}/diff/${word()}: no space left on device`,
    ],
  },
  'out of memory': {
    class: 'Infrastructure',
    task: 'build-container',
    more: { exitReason: 'OOMKilled' },
    lines: ({ number }) => [
      `[${number(90)}%] linking`,
      `/tekton/scripts/script-0: line ${number(90)}: ${number(900)} Killed   "\${command[@]}"`,
      `Error: the process was killed (exit status 137)`,
    ],
  },
  'database of the cluster is slow': {
    class: 'Infrastructure',
    task: 'apply-tags',
    lines: ({ time, number }) => [
      `${time()} retry ${number(9)} of 9`,
      `Error from server: etcdserver: request timed out after ${number(90)}.${number(9)}s`,
    ],
  },
  'assertion of a unit test in Go': {
    class: 'Test',
    task: 'unit-tests',
    more: { failedTests: ['TestRefundTwice'] },
    lines: ({ number }) => [
      `=== RUN   TestRefundTwice`,
      `    refund_test.go:${number(300)}: got ${number(900)}, want ${number(900)}`,
      `--- FAIL: TestRefundTwice (0.${number(90)}s)`,
    ],
  },
  'test that times out': {
    class: 'Test',
    task: 'e2e-tests',
    more: { failedTests: ['cart shows the total'] },
    lines: ({ number, word }) => [
      `  ✘ cart shows the total (${number(90)}s)`,
      `    TimeoutError: page.click: Timeout ${number(90)}000ms exceeded waiting for "#${word()}"`,
    ],
  },
  'other test of the same suite': {
    class: 'Test',
    task: 'e2e-tests',
    more: { failedTests: ['login rejects an old password'] },
    lines: ({ number }) => [
      `  ✘ login rejects an old password (${number(90)}s)`,
      `    Error: expect(received).toBe(expected) // ${number(500)}`,
    ],
  },
  'test in Python': {
    class: 'Test',
    task: 'unit-tests',
    lines: ({ number, word }) => [
      `>       assert total(${number(90)}) == ${number(90)}`,
      `E       AssertionError: totals of ${word()} differ: ${number(900)}`,
      `${number(9) + 1} failed, ${number(900)} passed in ${number(90)}.${number(90)}s`,
    ],
    more: ({ number }) => ({ errorLine: `E       AssertionError: totals differ: ${number(900)}` }),
  },
  'policy: unsigned image': {
    class: 'Policy',
    task: 'verify',
    more: { isVerification: true },
    lines: ({ hex, word }) => [
      `Image: quay.io/${word()}/${word()}@sha256:${hex(64)}`,
      `Error: success criteria not met: image signature check failed`,
    ],
  },
  'policy: task is not trusted': {
    class: 'Policy',
    task: 'verify',
    more: { isVerification: true },
    lines: ({ hex }) => [`Error: task bundle sha256:${hex(64)} is not trusted, ask its owner`],
  },
  'undefined name in Go': {
    class: 'Code',
    task: 'build-container',
    lines: ({ path, number, word }) => [
      `# ${word()}/cmd`,
      `${path('go')}:${number(300)}:${number(40)}: error: undefined: newClient`,
    ],
  },
  'wrong type in TypeScript': {
    class: 'Code',
    task: 'build-container',
    lines: ({ path, number, word }) => [
      `> tsc --build`,
      `${path('ts')}(${number(300)},${number(40)}): error TS2345: Argument of type '${word()}' is not assignable to parameter of type 'number'.`,
    ],
  },
  'package does not exist': {
    class: 'Code',
    task: 'prefetch-dependencies',
    lines: ({ word, number }) => [
      `npm http fetch GET 404 https://registry.npmjs.org/${word()}`,
      `npm ERR! code E404`,
      `npm ERR! 404 '${word()}@${number(9)}.${number(9)}.0' is not in this registry.`,
    ],
  },
  'dependencies conflict': {
    class: 'Code',
    task: 'prefetch-dependencies',
    lines: ({ word }) => [`npm ERR! ERESOLVE unable to resolve dependency tree`, `npm ERR! Found: ${word()}@18.2.0`],
  },
  'file is missing in the image': {
    class: 'Code',
    task: 'build-container',
    lines: ({ path }) => [
      `STEP 4/9: COPY`,
      `Error: building at STEP "COPY ${path('json')} .": stat: no such file or directory`,
    ],
  },
  'exception in Java': {
    class: 'Code',
    task: 'build-container',
    lines: ({ number, word }) => [
      `[INFO] Compiling ${number(90)} source files`,
      `Exception in thread "main" java.lang.IllegalStateException: bean "${word()}" has no constructor`,
      `\tat com.example.${word()}.Main.main(Main.java:${number(300)})`,
    ],
  },
}

export const familyNames = Object.keys(families)

/** @returns `count` failures, of all families in turn */
export function aFailureCorpus(seed: number, count: number): LabelledFailure[] {
  const random = randomNumbers(seed)
  const number = (below: number) => Math.floor(random() * below)
  const pick = (choices: readonly string[]) => choices[number(choices.length)] ?? ''
  const hex = (length: number) => Array.from({ length }, () => number(16).toString(16)).join('')
  const two = (below: number) => String(number(below)).padStart(2, '0')
  const own: Particulars = {
    hex,
    number,
    word: () => pick(words),
    time: () => `2026-11-${two(28)}T${two(24)}:${two(60)}:${two(60)}.${number(1_000)}Z`,
    path: (extension) => `src/${pick(words)}/${pick(words)}_${number(50)}.${extension}`,
  }
  return Array.from({ length: count }, (_, index) => {
    const name = familyNames[index % familyNames.length] ?? ''
    const family = families[name]
    if (!family) throw new Error(`There is no family ${name}.`)
    const context = Array.from({ length: number(8) }, () => `${own.time()} step ${own.word()} took ${number(900)} ms`)
    const written = family.lines(own)
    const lines = [...context, ...written, `Error: exit status ${number(3) + 1}`]
    const more = typeof family.more === 'function' ? family.more(own) : family.more
    const evidence: FailureEvidence = {
      task: family.task,
      message: '"step-build" exited with code 1',
      lines,
      errorLine: lines.find(isErrorLine),
      ...more,
    }
    return { family: name, class: family.class, evidence }
  })
}
