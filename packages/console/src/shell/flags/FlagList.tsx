import { Content, Label, Switch, Tooltip } from '@patternfly/react-core'
import { flagStatusLabels, type VisibleFlag } from '@slipway/model/platform/flag'
import { useId } from 'react'
import { useOverlayContainer } from '../../ui/page/overlay-container'
import './flags.css'

interface FlagListProps<N extends string> {
  flags: readonly VisibleFlag<N>[]
  states: Record<N, boolean>
  onToggle: (name: N, isOn: boolean) => void
}

export function FlagList<N extends string>({ flags, states, onToggle }: FlagListProps<N>) {
  if (flags.length === 0) return <Content component="p">No experimental features found.</Content>
  return (
    // Without list markers, Safari needs an explicit role.
    <ul role="list" className="slipway-flags">
      {flags.map((flag) => (
        <FlagRow key={flag.name} flag={flag} isOn={states[flag.name]} onToggle={(isOn) => onToggle(flag.name, isOn)} />
      ))}
    </ul>
  )
}

interface FlagRowProps {
  flag: VisibleFlag<string>
  isOn: boolean
  onToggle: (isOn: boolean) => void
}

/** Where KubeArchive is the only archive, it is used whether the flag is on or not. */
const onlyWithResults = ', where Tekton Results is installed too'

function FlagRow({ flag: { name, description, guard, status, disabledReason }, isOn, onToggle }: FlagRowProps) {
  const id = useId()
  const overlayContainer = useOverlayContainer()
  const toggle = (
    <Switch
      id={id}
      aria-label={name}
      aria-describedby={`${id}-description`}
      isChecked={isOn}
      isDisabled={Boolean(disabledReason)}
      onChange={(_, checked) => onToggle(checked)}
    />
  )
  return (
    <li className="slipway-flag">
      {disabledReason ? (
        <Tooltip content={disabledReason} position="top-start" appendTo={overlayContainer}>
          {/* A disabled control takes no focus, and its reason is for the keyboard too. */}
          <span tabIndex={0} role="group" aria-label={`${name} cannot be turned on`}>
            {toggle}
          </span>
        </Tooltip>
      ) : (
        toggle
      )}
      <div>
        <span className="slipway-flag__name">{name}</span>{' '}
        <Label isCompact variant="outline" color={status === 'ready' ? 'green' : 'orange'}>
          {flagStatusLabels[status]}
        </Label>
        <Content component="small" id={`${id}-description`}>
          {description}
          {guard?.condition === 'isKubearchiveEnabled' && onlyWithResults}
        </Content>
      </div>
    </li>
  )
}
