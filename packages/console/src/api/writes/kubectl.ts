import { apiVersionOf, type ResourceType } from '@slipway/kube/resource-type'
import { Document, visit } from 'yaml'
import type { Write } from './writes'

/**
 * In the order in which kubectl prints, which no server or client changes, and in the dialect that it reads: there `on`,
 * `1:30` and `0o14` would not be text.
 */
export function toYaml(value: unknown): string {
  const document = new Document(value, { version: '1.1', aliasDuplicateObjects: false, sortMapEntries: true })
  visit(document, {
    Scalar(_, node) {
      if (typeof node.value === 'string' && !/^[a-z]/i.test(node.value)) node.type = 'QUOTE_DOUBLE'
    },
  })
  return document.toString({ lineWidth: 0, directives: false })
}

/** The command that does the same as a write, to be pasted into a shell. Give it a masked write (`maskWrite`). */
export function kubectlCommand(write: Write): string {
  if ('object' in write) {
    const object = { apiVersion: apiVersionOf(write.type), kind: write.type.kind, ...write.object }
    return heredoc(`kubectl ${write.verb} -f -`, toYaml(object))
  }
  const { type, ref } = write
  const words = [write.verb === 'patch' ? 'patch' : 'delete', resourceName(type), ref.name]
  if (ref.namespace) words.push('-n', ref.namespace)
  if (write.verb === 'patch') words.push('--type=json', '-p', JSON.stringify(write.patch))
  else {
    // Like the console, do not wait until finalizers have run.
    words.push('--wait=false')
    const policy = write.options?.propagationPolicy
    if (policy) words.push(`--cascade=${policy.toLowerCase()}`)
  }
  return ['kubectl', ...words.map(quoted)].join(' ')
}

/** With version and group: a cluster may serve several kinds of the same plural. */
const resourceName = ({ group, version, plural }: ResourceType): string =>
  group ? `${plural}.${version}.${group}` : plural

function heredoc(command: string, text: string): string {
  let end = 'EOF'
  while (text.split('\n').includes(end)) end += '_'
  return `${command} <<'${end}'\n${text}${end}`
}

const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)
