import { Button } from '@patternfly/react-core'

export const ReloadPageButton = () => <Button onClick={() => location.reload()}>Reload Page</Button>
