export { ListTable as ResourceTable } from './ListTable'
