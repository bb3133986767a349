import { Alert, Button } from '@patternfly/react-core'
import { nameOf } from '@slipway/kube/object'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { loadFailure } from '../../api/messages'
import { inNamespace } from '../../paths'
import { namespaces } from '../../resources/namespaces'
import { ContextSwitcher } from '../../ui/page/ContextSwitcher'
import { lazyComponent } from '../../ui/page/lazy-component'
import { RereadNamespaces } from './RereadNamespaces'
import './namespace-switcher.css'

const OwnRole = lazyComponent(() => import('../access/OwnRole'), 'OwnRole')

/** Switches from a page of one namespace to the same page of another, and says which role the user has in this one. */
export function NamespaceSwitcher({ namespace }: { namespace: string }) {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const [hasOpened, setHasOpened] = useState(false)
  const { data, error, refetch } = useQuery({ ...namespaces.list(), enabled: hasOpened })
  const failure = error && !data && loadFailure(error, 'namespaces')
  return (
    <span className="slipway-namespace">
      <ContextSwitcher
        resourceType="namespace"
        noun="namespace"
        selected={{ key: namespace, name: namespace }}
        items={data?.items
          .map(nameOf)
          .sort()
          .map((name) => ({ key: name, name }))}
        failure={
          failure && (
            <Alert
              isInline
              isPlain
              variant="danger"
              component="p"
              title={failure.title}
              className="slipway-switcher__note"
              actionLinks={
                <Button variant="link" isInline onClick={() => void refetch()}>
                  Try again
                </Button>
              }
            >
              {failure.body}
            </Alert>
          )
        }
        noMatches={<RereadNamespaces />}
        onOpen={() => setHasOpened(true)}
        onSelect={({ key }) => void navigate(inNamespace(pathname, key))}
      />
      <span className="slipway-namespace__role">
        <OwnRole key={namespace} namespace={namespace} />
      </span>
    </span>
  )
}
