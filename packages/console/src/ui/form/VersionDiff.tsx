import type { KubeObject } from '@slipway/kube/object'
import { diffObjects } from '../../api/writes/write-preview'
import { Diff } from './Diff'

interface VersionDiffProps {
  before: KubeObject
  after: KubeObject
}

/** What another client has changed while a form was open. */
export const VersionDiff = ({ before, after }: VersionDiffProps) => (
  <Diff title="since you opened this form" lines={diffObjects(before, after)} />
)
