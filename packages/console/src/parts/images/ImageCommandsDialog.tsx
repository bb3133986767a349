import { Content, Skeleton } from '@patternfly/react-core'
import { type ImageCommands, imageCommands, proxiedImageCommands } from '@slipway/model/builds/image-registry'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { imageProxy } from '../../resources/image-proxy'
import { Dialog } from '../../ui/dialogs/Dialog'
import { LoadFailure } from '../../ui/failures/LoadFailure'
import { Details } from '../../ui/page/Details'
import { Section } from '../../ui/page/Section'
import { Copyable } from '../../ui/text/Copyable'
import { ExternalLink } from '../../ui/text/ExternalLink'
import { UserText } from '../../ui/text/UserText'

interface ImageCommandsDialogProps {
  image: string
  onClose: () => void
}

/** The commands for an image, at its registry and through the image proxy of the platform if it has one. */
export function ImageCommandsDialog({ image, onClose }: ImageCommandsDialogProps) {
  const direct = imageCommands(image)
  return (
    <Dialog title="Pull image" variant="medium" onClose={onClose}>
      {direct ? (
        <>
          <ThroughProxy image={image} />
          <Section title="From the registry">
            <Content component="p">
              Public images need no login. For others, use credentials that the registry has given you.
            </Content>
            <Commands label="Commands for the registry" commands={direct} />
          </Section>
        </>
      ) : (
        <Content component="p">
          There are no commands, since this is not the address of an image: <UserText text={image} />
        </Content>
      )}
    </Dialog>
  )
}

/** Private images too, with the rights that users have in the namespace: the registry knows nothing of these. */
function ThroughProxy({ image }: { image: string }) {
  const { data: proxy, error, isFetching, refetch } = useQuery(imageProxy.get())
  if (error && proxy === undefined)
    return <LoadFailure noun="the image proxy" error={error} isRetrying={isFetching} onRetry={() => void refetch()} />
  if (proxy === undefined) return <Skeleton width="20rem" screenreaderText="Loading the image proxy" />
  const commands = proxy && proxiedImageCommands(image, proxy.host)
  if (!commands) return null
  return (
    <Section title="Through the image proxy">
      <Content component="p">
        For private images of this platform, if you may read image repositories in their namespace. Log in with a{' '}
        <ExternalLink href={proxy.tokenUrl}>token of the proxy</ExternalLink> as the password; any user name will do.
      </Content>
      <Commands label="Commands for the image proxy" commands={commands} />
    </Section>
  )
}

const Commands = ({ label, commands: { image, login, use } }: { label: string; commands: ImageCommands }) => (
  <Details
    label={label}
    isOrdered
    items={[
      ['Address', <Copyable text={image} noun="address of the image" />],
      ...[...login, ...use].map(({ label: term, command }): [string, ReactNode] => [
        term,
        <Copyable text={command} noun={`command: ${term}`} />,
      ]),
    ]}
  />
)
