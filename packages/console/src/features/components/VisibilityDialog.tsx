import { Content } from '@patternfly/react-core'
import { specOf } from '@slipway/kube/object'
import {
  type ImageRepository,
  type ImageVisibility,
  requestedVisibilityOf,
} from '@slipway/model/builds/image-repository'
import { useState } from 'react'
import { visibilityWrite } from '../../resources/image-repositories'
import { ConfirmDialog } from '../../ui/form/ConfirmDialog'
import { UserText } from '../../ui/text/UserText'

interface VisibilityDialogProps {
  repository: ImageRepository
  onClose: () => void
}

/** Asks for confirmation before the images of a repository become public or private. */
export function VisibilityDialog({ repository, onClose }: VisibilityDialogProps) {
  const { image } = specOf(repository)
  // As it was when the user asked: what the repository becomes meanwhile must not turn the question around.
  const [visibility] = useState<ImageVisibility>(() =>
    requestedVisibilityOf(repository) === 'public' ? 'private' : 'public',
  )
  return (
    <ConfirmDialog
      title={`Make the images ${visibility}?`}
      confirmLabel={`Make ${visibility}`}
      isDanger={visibility === 'public'}
      writes={[visibilityWrite(repository, visibility)]}
      onClose={onClose}
    >
      <Content component="p">
        {visibility === 'public'
          ? 'Everyone will be able to pull all images of '
          : 'Only clients with credentials will be able to pull images of '}
        <strong>
          <UserText text={repository.status?.image?.url ?? image?.name ?? 'this repository'} />
        </strong>
        {visibility === 'public' ? ', older ones included.' : '. What pulls them without credentials will fail.'}
      </Content>
    </ConfirmDialog>
  )
}
