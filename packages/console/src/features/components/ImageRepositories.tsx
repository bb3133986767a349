import { Alert, Skeleton } from '@patternfly/react-core'
import { nameOf, specOf, uidOf } from '@slipway/kube/object'
import { isForbidden } from '@slipway/kube/status'
import {
  type ImageRepository,
  imageRepositoryType,
  requestedVisibilityOf,
  visibilityOf,
} from '@slipway/model/builds/image-repository'
import { permission } from '../../api/access/permission'
import { failureText } from '../../api/messages'
import { useList } from '../../api/source'
import type { ComponentParams, NamespaceParams } from '../../paths'
import { imageRepositories } from '../../resources/image-repositories'
import type { DefinedAction } from '../../ui/actions/defined-action'
import { DefinedButton } from '../../ui/actions/DefinedButton'
import { SourceReporter } from '../../ui/SourceReporter'
import { UserText } from '../../ui/text/UserText'
import { LazyVisibilityDialog } from './LazyVisibilityDialog'
import '../../ui/facts-line.css'

/** Makes the images of a component public or private. */
export const changeVisibility: DefinedAction<ImageRepository, NamespaceParams> = {
  label: (repository) => (requestedVisibilityOf(repository) === 'public' ? 'Make private' : 'Make public'),
  needs: permission("You don't have access to change who can pull these images", ['patch', imageRepositoryType]),
  dialog: (repository, { onClose }) => <LazyVisibilityDialog repository={repository} onClose={onClose} />,
}

/** Who can pull the images of a component. */
export function ImageRepositories({ at }: { at: ComponentParams }) {
  const source = useList(imageRepositories.ofComponent(at.namespace, at.component), 'image repositories')
  const { rows, error } = source
  if (error && !rows)
    return isForbidden(error) ? 'Unknown: you may not read image repositories' : `Unknown: ${failureText(error)}`
  if (!rows) return <Skeleton width="10rem" screenreaderText="Loading who can pull the images" />
  if (rows.length === 0) return 'Not managed by the platform'
  return (
    <>
      <SourceReporter label="Image repositories" source={source} />
      {rows.map((repository) => (
        <div key={uidOf(repository)} className="slipway-facts-line">
          {rows.length > 1 && <UserText text={specOf(repository).image?.name ?? nameOf(repository)} />}
          <Visibility repository={repository} />
          <DefinedButton action={changeVisibility} at={at} subject={repository} variant="link" isInline />
        </div>
      ))}
    </>
  )
}

const texts = { public: 'Public: everyone can pull', private: 'Private: pulled with credentials' }

function Visibility({ repository }: { repository: ImageRepository }) {
  const [requested, actual] = [requestedVisibilityOf(repository), visibilityOf(repository)]
  const { message } = repository.status ?? {}
  return (
    <>
      <span>{requested === actual ? texts[actual] : `${texts[actual]}, becomes ${requested}`}</span>
      {message && <Alert isInline isPlain variant="warning" component="p" title={<UserText text={message} />} />}
    </>
  )
}
