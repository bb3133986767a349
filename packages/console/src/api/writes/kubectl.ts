import { apiVersionOf, type ResourceType } from '@slipway/kube/resource-type'
import { Document, visit } from 'yaml'
import type { Write } from './writes'

/**
 * YAML with its keys in the order in which kubectl prints them, and in the version that kubectl reads: in YAML 1.1,
 * unquoted `on`, `1:30` and `0o14` would not be strings.
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

/** The shell command that does the same as a write. Pass a masked write (`maskWrite`). */
export function kubectlCommand(write: Write): string {
  if ('object' in write) {
    const object = { apiVersion: apiVersionOf(write.type), kind: write.type.kind, ...write.object }
    return heredoc(`kubectl ${write.verb} -f -`, toYaml(object))
  }
  const { type, ref } = write
  const args = [write.verb === 'patch' ? 'patch' : 'delete', resourceName(type), ref.name]
  if (ref.namespace) args.push('-n', ref.namespace)
  if (write.verb === 'patch') args.push('--type=json', '-p', JSON.stringify(write.patch))
  else {
    // Like the console, do not wait until finalizers have run.
    args.push('--wait=false')
    const policy = write.options?.propagationPolicy
    if (policy) args.push(`--cascade=${policy.toLowerCase()}`)
  }
  return ['kubectl', ...args.map(quoted)].join(' ')
}

/** Includes version and group, since a cluster may serve several kinds with the same plural. */
const resourceName = ({ group, version, plural }: ResourceType): string =>
  group ? `${plural}.${version}.${group}` : plural

function heredoc(command: string, text: string): string {
  let end = 'EOF'
  while (text.split('\n').includes(end)) end += '_'
  return `${command} <<'${end}'\n${text}${end}`
}

const quoted = (arg: string): string => (/^[\w@%+=:,./-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", "'\\''")}'`)
