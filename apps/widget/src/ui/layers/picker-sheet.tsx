import { SearchList, type SearchListProps } from '../lists/search-list.tsx';
import { Sheet } from './sheet.tsx';

interface PickerSheetProps extends SearchListProps {
  readonly closeLabel: string;
  readonly onClose: () => void;
}

/** A sheet with a searchable list of which one option is chosen. */
export function PickerSheet({ closeLabel, onClose, ...list }: PickerSheetProps) {
  return (
    <Sheet title={list.title} closeLabel={closeLabel} onClose={onClose}>
      <SearchList {...list} />
    </Sheet>
  );
}
