import { readFile } from 'node:fs/promises'

/** A request in the audit log of an API server. Source: k8s.io/apiserver, audit/v1 Event. */
export interface AuditEvent {
  stage: string
  verb: string
  requestURI: string
  user: { username: string }
  objectRef?: { resource?: string; subresource?: string; namespace?: string; name?: string }
  responseStatus?: { code: number; reason?: string; message?: string }
}

/** The completed requests of a user, in order. */
export async function requestsOf(path: string, username: string): Promise<AuditEvent[]> {
  const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line.includes(JSON.stringify(username)))
  return lines
    .map((line) => JSON.parse(line) as AuditEvent)
    .filter(({ stage, user }) => stage === 'ResponseComplete' && user.username === username)
}
