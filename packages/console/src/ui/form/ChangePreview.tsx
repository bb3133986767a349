import { Alert, Spinner, Tab, Tabs, TabTitleText } from '@patternfly/react-core'
import { useEffect, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { failureText } from '../../api/messages'
import { previewWrites, type WritePreview } from '../../api/writes/write-preview'
import type { Write } from '../../api/writes/writes'
import { CopyButton } from '../actions/CopyButton'
import { Code, Diff } from './Diff'
import './ChangePreview.css'

interface ChangePreviewProps {
  /** `undefined` while the form is invalid. */
  currentWrites: () => Promise<Write[] | undefined>
}

type State = { kind: 'invalid' } | { kind: 'failed'; reason: string } | { kind: 'loaded'; previews: WritePreview[] }

/** How long after the last change of a field the preview is requested. */
const pauseMs = 600

/** What the writes of a form would do: the changes of objects, the requests, and the same as kubectl commands. */
export function ChangePreview({ currentWrites }: ChangePreviewProps) {
  const values = useWatch()
  const [loaded, setLoaded] = useState<{ values: unknown; state: State }>()
  const [tab, setTab] = useState<string | number>('changes')
  const isFirst = loaded === undefined

  // Previews the current form, which changes only when its values do.
  useEffect(() => {
    const controller = new AbortController()
    const load = async () => {
      const state = await stateOf(currentWrites, controller.signal)
      if (!controller.signal.aborted) setLoaded({ values, state })
    }
    const timer = setTimeout(() => void load(), isFirst ? 0 : pauseMs)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
    // eslint-disable-next-line react-hooks/exhaustive-deps -- a new function with every render, and the same form
  }, [values])

  if (!loaded) return <Spinner size="lg" aria-label="Loading the change" />
  const { state } = loaded
  if (state.kind === 'invalid') return <p role="status">Complete the form to see what it would change.</p>
  if (state.kind === 'failed') {
    return (
      <Alert isInline isLiveRegion variant="danger" component="p" title="Unable to load the change">
        {state.reason}
      </Alert>
    )
  }
  const { previews } = state
  const commands = previews.map(({ command }) => command).join('\n\n')
  return (
    <div className="slipway-change" aria-busy={loaded.values !== values}>
      <Tabs activeKey={tab} onSelect={(_, key) => setTab(key)} aria-label="Change">
        <Tab eventKey="changes" title={<TabTitleText>Changes</TabTitleText>}>
          {previews.map((preview, index) => (
            <Section key={index} title={preview.title}>
              {preview.refusal ? (
                <Alert
                  isInline
                  isPlain
                  variant="warning"
                  component="p"
                  title={`The server rejects this now: ${preview.refusal}`}
                />
              ) : (
                <Diff title={preview.title} lines={preview.diff} />
              )}
            </Section>
          ))}
        </Tab>
        <Tab eventKey="requests" title={<TabTitleText>Requests</TabTitleText>}>
          <p className="slipway-change__note">Each request is sent as a dry run first, then for real.</p>
          {previews.map(({ title, request: { method, path, contentType, body } }, index) => (
            <Section key={index} title={title}>
              <Code label={`Request: ${title}`}>
                {[
                  `${method} ${path}`,
                  ...(contentType ? [`Content-Type: ${contentType}`] : []),
                  ...(body ? ['', body] : []),
                ].join('\n')}
              </Code>
            </Section>
          ))}
        </Tab>
        <Tab eventKey="kubectl" title={<TabTitleText>kubectl</TabTitleText>}>
          {/* Not a paragraph, which cannot contain the tooltip of the button. */}
          <div className="slipway-change__note">
            The same change as shell commands.{' '}
            {previews.some(({ hasPlaceholders }) => hasPlaceholders) && 'Replace the values in angle brackets. '}
            <CopyButton text={commands} noun="kubectl commands" />
          </div>
          <Code label="kubectl commands">{commands}</Code>
        </Tab>
      </Tabs>
    </div>
  )
}

async function stateOf(currentWrites: ChangePreviewProps['currentWrites'], signal: AbortSignal): Promise<State> {
  try {
    const writes = await currentWrites()
    return writes ? { kind: 'loaded', previews: await previewWrites(writes, signal) } : { kind: 'invalid' }
  } catch (error) {
    return { kind: 'failed', reason: failureText(error) }
  }
}

const Section = ({ title, children }: { title: string; children: React.ReactNode }) => (
  <section className="slipway-change__section">
    <h2>{title}</h2>
    {children}
  </section>
)
