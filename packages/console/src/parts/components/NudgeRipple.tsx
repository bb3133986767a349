import { Alert, Content, Icon, Skeleton } from '@patternfly/react-core'
import WarningIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-warning-fill-icon'
import { nameOf, specOf } from '@slipway/kube/object'
import { type Component, relatedComponents } from '@slipway/model/builds/component'
import type { Nudges } from '@slipway/model/builds/component-relations'
import {
  type ExpectedTime,
  mostMeasuredBuilds,
  nudgedFrom,
  type NudgeRipple as Ripple,
  nudgeRipple,
  type RippleMember,
  type RippleStop,
} from '@slipway/model/builds/nudge-ripple'
import { failureText } from '../../api/messages'
import type { ApplicationParams } from '../../paths'
import { plural } from '../graph/node-text'
import { ComponentLink } from '../links'
import { type DetailItem, Details } from '../../ui/page/Details'
import { BuildPipeline } from './BuildPipeline'
import { RelatedComponents } from './RelatedComponents'
import { type BuiltComponent, usePastBuilds } from './use-builds'
import '../../ui/facts-line.css'
import '../../ui/inline-list.css'

interface NudgeRippleProps {
  at: ApplicationParams
  /** Name of the component that rebuilds first. */
  start: string
  /** All of the namespace. */
  components: readonly Component[]
  nudges: Nudges
}

/** The waves of components that rebuild after one of them, where they stop, and how long their builds take. */
export function NudgeRipple({ at, start, components, nudges }: NudgeRippleProps) {
  const { namespace } = at
  const reachable = new Set(nudgedFrom(nudges, [start]))
  const rows = usePastBuilds(
    namespace,
    components.filter((each) => reachable.has(nameOf(each)) && !each.metadata.deletionTimestamp),
  )
  if (rows.some(isPending)) return <Skeleton width="20rem" screenreaderText={`Loading what rebuilds after ${start}`} />
  const byName = new Map(rows.map((row) => [nameOf(row.component), row]))
  const ripple = nudgeRipple({ start, components, nudges, factsOf: (name) => byName.get(name) })
  const failure = rows.find(({ error }) => error)?.error
  const waves = ripple.waves.map(({ members, expected }, index): DetailItem => {
    const rebuilt = members.filter(({ stop }) => !stop)
    return [
      `Wave ${index + 1}`,
      <>
        {rebuilt.length > 0 && (
          <div className="slipway-facts-line">
            <ul className="slipway-inline-list">
              {rebuilt.map((member) => (
                <li key={member.name}>
                  <Rebuild member={member} row={byName.get(member.name)} at={at} />
                </li>
              ))}
            </ul>
            <span>— rebuilt after {timeText(expected)}</span>
          </div>
        )}
        {members.map((member) => (
          <Warning key={member.name} member={member} row={byName.get(member.name)} at={at} />
        ))}
      </>,
    ]
  })
  const unreached = relatedComponents(ripple.unreached, components)
  return (
    <>
      <Content component="p">{summaryOf(start, ripple)}</Content>
      {ripple.cycles.map((cycle) => (
        <Alert
          key={cycle.join(' ')}
          isInline
          isPlain
          variant="warning"
          component="p"
          title={`These relationships form a cycle: ${cycle.join(' nudges ')}. Builds of these components follow each other without end.`}
        />
      ))}
      {failure && (
        <Alert isInline isPlain variant="warning" component="p" title="Some builds could not be read">
          {failureText(failure)}
        </Alert>
      )}
      <Details
        isOrdered
        label={`What rebuilds after ${start}`}
        items={[
          ...waves,
          [
            'Not reached',
            unreached.length > 0 ? <RelatedComponents namespace={namespace} components={unreached} /> : undefined,
          ],
        ]}
      />
    </>
  )
}

const isPending = ({ builds, state, error }: BuiltComponent): boolean =>
  !error && (builds === undefined || state === 'loading')

interface MemberProps {
  member: RippleMember
  /** Absent if the component does not exist. */
  row: BuiltComponent | undefined
  at: ApplicationParams
}

/** A component that rebuilds: whether it does so again, and how long its build takes. */
function Rebuild({ member: { name, component, isAgain, nudgedBy, build }, row, at }: MemberProps) {
  const application = component && specOf(component).application
  const facts = [
    application !== at.application && `in ${application ?? 'no application'}`,
    isAgain && 'again',
    nudgedBy.length > 1 && `${nudgedBy.length} pull requests`,
    build.minutes === undefined ? 'unknown' : `${build.minutes} min`,
    build.minutes !== undefined && plural(build.buildCount, 'build'),
    build.minutes === undefined && !row?.error && 'no successful build',
  ]
  return (
    <>
      <ComponentLink at={{ namespace: at.namespace, application }} component={name} /> (
      {facts.filter(Boolean).join(', ')})
    </>
  )
}

const stopTexts: Record<RippleStop, string> = {
  'no pipeline': 'stops here: its build pipeline is not ready',
  missing: 'stops here: it does not exist',
  deleted: 'stops here: it is being deleted',
}

/** Where nothing rebuilds from here on, or may not. */
function Warning({ member: { name, component, stop }, row, at }: MemberProps) {
  const text = stop ? stopTexts[stop] : row?.state === 'loading' && 'may stop here: its build pipeline is unknown'
  if (!text) return null
  return (
    <div className="slipway-facts-line">
      <Icon isInline status="warning">
        <WarningIcon />
      </Icon>
      <span>
        <ComponentLink
          at={{ namespace: at.namespace, application: stop === 'deleted' ? undefined : component?.spec.application }}
          component={name}
        />{' '}
        {text}
      </span>
      {stop === 'no pipeline' && row && <BuildPipeline row={row} />}
    </div>
  )
}

function summaryOf(start: string, { rebuilt, waves, cycles, expected }: Ripple): string {
  if (rebuilt.length === 0) return `A new image of ${start} rebuilds no other component.`
  const waveCount = waves.filter(({ members }) => members.some(({ stop }) => !stop)).length
  const subject = `A new image of ${start} rebuilds ${plural(rebuilt.length, 'other component')} in ${plural(waveCount, 'wave')}.`
  if (cycles.length > 0) return subject
  return `${subject} Builds take ${timeText(expected)}, plus the time until each pull request is merged. ${basis}`
}

const basis = `Minutes are medians of up to ${mostMeasuredBuilds} successful push builds.`

function timeText({ minutes, isPartial }: ExpectedTime): string {
  if (!isPartial) return `about ${minutes} min`
  return minutes > 0 ? `at least ${minutes} min` : 'an unknown time'
}
