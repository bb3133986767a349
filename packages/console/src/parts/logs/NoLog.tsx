import { Content } from '@patternfly/react-core'
import { succeededCondition, type Run } from '@slipway/model/runs/tekton'
import { asSentence } from '../../api/messages'
import { withVisibleControls } from '../../ui/text/UserText'
import { skippedText } from './run-tasks'

/** That there is no log, with what the condition of the run or task run says about it, unless it succeeded. */
export function NoLog({ text, run }: { text: string; run: Run }) {
  const { status, message } = succeededCondition(run) ?? {}
  return (
    <>
      <Content component="p">{text}</Content>
      {message && status !== 'True' && text !== skippedText && !text.includes(message) && (
        <Content component="p">{withVisibleControls(asSentence(message))}</Content>
      )}
    </>
  )
}
