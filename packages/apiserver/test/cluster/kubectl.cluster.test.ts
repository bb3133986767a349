import { readFileSync } from 'node:fs'
import { describe } from 'vitest'
import { findKubectl } from '../../../../scripts/lib/tools.mjs'
import { kubectlSuite, type KubectlServer } from '../kubectl-suite'
import { realServer } from './real-server'

/** The kubectl of the server's version, and the one installed on the machine. */
const kubectls: [string, string | undefined][] = [
  ['kubectl as built with the server', process.env['CONTROL_PLANE_KUBECTL']],
  ['kubectl as installed on the machine', findKubectl()],
]

interface AuditEvent {
  auditID: string
  verb: string
  objectRef?: { namespace?: string }
}

async function open(): Promise<KubectlServer> {
  const { url, token, ca, auditLogPath } = realServer()
  const startLength = readFileSync(auditLogPath, 'utf8').length
  return {
    url,
    ca,
    token,
    send(method, path, body) {
      const type = method === 'PATCH' ? 'application/merge-patch+json' : 'text/plain'
      const headers = { authorization: `Bearer ${token}`, 'content-type': type }
      return fetch(`${url}${path}`, { method, headers, body })
    },
    async watchesOf(namespace) {
      const lines = readFileSync(auditLogPath, 'utf8').slice(startLength).trim().split('\n')
      // One JSON document per line, in `audit.k8s.io/v1`; a watch has one for its start and one for its end.
      const events = lines.map((line) => JSON.parse(line) as AuditEvent)
      const watches = events.filter(({ verb, objectRef }) => verb === 'watch' && objectRef?.namespace === namespace)
      return new Set(watches.map(({ auditID }) => auditID)).size
    },
  }
}

for (const [name, kubectl] of kubectls) {
  describe.skipIf(!kubectl)(name, () => kubectlSuite(kubectl ?? '', open, { isEmbedded: false }))
}
