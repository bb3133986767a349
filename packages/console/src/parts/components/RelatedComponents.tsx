import type { RelatedComponent } from '@slipway/model/builds/component'
import { ComponentLink } from '../links'
import '../../ui/inline-list.css'

interface RelatedComponentsProps {
  namespace: string
  components: readonly RelatedComponent[]
}

/** Links in one line, each to the application of its component; `-` without any. One that does not exist has no link. */
export function RelatedComponents({ namespace, components }: RelatedComponentsProps) {
  if (components.length === 0) return '-'
  return (
    <ul className="slipway-inline-list">
      {components.map(({ name, application }) => (
        <li key={name}>
          <ComponentLink at={{ namespace, application }} component={name} />
        </li>
      ))}
    </ul>
  )
}
