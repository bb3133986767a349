import { Alert, AlertActionCloseButton, ToolbarItem } from '@patternfly/react-core'
import ViewsIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-bookmark-icon'
import { useState } from 'react'
import { useStored } from '../../lib/stored'
import { MenuButton } from '../actions/MenuButton'
import { ChunkLoadAlert, lazyComponent } from '../page/lazy-component'
import { currentView, mostViews, type SavedViews, type ShownQuery, withoutView, withView } from './saved-views'

const ViewNameDialog = lazyComponent(() => import('./ViewNameDialog'), 'ViewNameDialog', { Missing: ChunkLoadAlert })

interface SavedViewsMenuProps extends Omit<ShownQuery, 'chosen'> {
  saved: SavedViews
  /** Shows the rows of another query. */
  onChoose: (query: string) => void
}

/** Named filters, orders and columns of a table: to choose, save, change and share. */
export function SavedViewsMenu({ saved, query, queryInUrl, isFiltered, onChoose }: SavedViewsMenuProps) {
  const [views, setViews] = useStored(saved.views)
  const [chosen, setChosen] = useStored(saved.chosen)
  const [naming, setNaming] = useState<'new' | 'renamed'>()
  const [copied, setCopied] = useState<'done' | 'failed'>()
  const { view, isEdited } = currentView(views, { query, queryInUrl, chosen, isFiltered })
  const link = location.origin + location.pathname + query
  const text = view ? view.name + (isEdited ? ' (edited)' : '') : 'Views'
  const save = (name: string) => {
    const others = naming === 'renamed' && view ? withoutView(views, view.name) : views
    setViews(withView(others, { name, query: naming === 'renamed' && view ? view.query : query }))
    setChosen(name)
    setNaming(undefined)
  }
  const copy = () =>
    navigator.clipboard.writeText(link).then(
      () => setCopied('done'),
      () => setCopied('failed'),
    )
  return (
    <ToolbarItem>
      <MenuButton
        label={view ? `View: ${text}` : 'Views'}
        text={text}
        icon={<ViewsIcon />}
        variant="default"
        className="slipway-table__views"
        menuLabel="Views"
        choices={[
          ...views.map(({ name, query: queryOfView }) => ({
            label: name,
            isSelected: name === view?.name,
            onSelect: () => {
              setChosen(name)
              onChoose(queryOfView)
            },
          })),
          {
            label: 'Save as a new view',
            startsGroup: true,
            disabledReason: views.length >= mostViews && `There are ${mostViews} views. Delete one first.`,
            onSelect: () => setNaming('new'),
          },
          ...(view && isEdited ? [{ label: 'Save changes to this view', onSelect: () => save(view.name) }] : []),
          { label: 'Copy link to this view', onSelect: () => void copy() },
          ...(view
            ? [
                { label: 'Rename this view', onSelect: () => setNaming('renamed') },
                {
                  label: 'Delete this view',
                  isDanger: true,
                  onSelect: () => {
                    setViews(withoutView(views, view.name))
                    setChosen('')
                  },
                },
              ]
            : []),
        ]}
      />
      {naming && (
        <ViewNameDialog
          name={naming === 'renamed' ? view?.name : undefined}
          names={views.map(({ name }) => name)}
          onSave={save}
          onClose={() => setNaming(undefined)}
        />
      )}
      {copied && (
        <Alert
          key={copied}
          isLiveRegion
          component="p"
          variant={copied === 'done' ? 'success' : 'danger'}
          title={copied === 'done' ? 'Link copied' : 'The browser did not allow copying'}
          className="slipway-toast"
          timeout={copied === 'done' && 5_000}
          onTimeout={() => setCopied(undefined)}
          actionClose={<AlertActionCloseButton title="Dismiss" onClose={() => setCopied(undefined)} />}
        >
          {copied === 'done'
            ? 'It shows these filters, this order and these columns to everyone with access to the namespace.'
            : link}
        </Alert>
      )}
    </ToolbarItem>
  )
}
