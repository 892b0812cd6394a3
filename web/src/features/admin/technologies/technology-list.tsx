import type { Technology } from '@interview-prep/contracts/catalog/technologies';
import bordered from '../../../components/bordered-list.module.css';
import { useJustEdited } from '../use-focus-back.tsx';
import { nameToSave } from './technology-name-rules.ts';
import { TechnologyEditRow, TechnologyRow } from './technology-row.tsx';
import type { TechnologyUse } from './technology-use.ts';

/** The technology being renamed, and its name as typed so far. */
export interface TechnologyEdit {
  technology: Technology;
  name: string;
  error?: string | undefined;
}

interface TechnologyListProps {
  /** The rows of this page. */
  shown: readonly Technology[];
  /** Every technology: names must be unique. */
  technologies: readonly Technology[];
  edit: TechnologyEdit | null;
  setEdit: (edit: TechnologyEdit | null) => void;
  setsUsing: (technology: Technology) => TechnologyUse | null;
  /** Resolves to whether the server accepted the name. */
  onRename: (technology: Technology, name: string) => Promise<boolean>;
  onDelete: (technology: Technology) => void;
}

/** Technologies as rows, one of which may be under edit. */
export function TechnologyList(props: TechnologyListProps) {
  const { shown, technologies, edit, setEdit, setsUsing, onRename, onDelete } = props;
  const [justEdited, setJustEdited] = useJustEdited();

  const endEdit = () => {
    setJustEdited(edit?.technology.id ?? null);
    setEdit(null);
  };
  const save = async ({ technology, name }: TechnologyEdit) => {
    const verdict = nameToSave(name, technology, technologies);
    if (verdict.kind === 'refuse') setEdit({ technology, name, error: verdict.message });
    if (verdict.kind === 'ignore') endEdit();
    if (verdict.kind === 'send' && (await onRename(technology, verdict.name))) endEdit();
  };

  return (
    <ul className={bordered.list} aria-label="Technologies">
      {shown.map((technology) =>
        edit?.technology.id === technology.id ? (
          <TechnologyEditRow
            key={technology.id}
            technology={technology}
            name={edit.name}
            error={edit.error}
            onChange={(name) => setEdit({ technology, name })}
            onConfirm={() => save(edit)}
            onCancel={endEdit}
          />
        ) : (
          <TechnologyRow
            key={technology.id}
            technology={technology}
            use={setsUsing(technology)}
            locked={edit !== null}
            justEdited={justEdited === technology.id}
            onEdit={() => setEdit({ technology, name: technology.name })}
            onDelete={() => onDelete(technology)}
          />
        ),
      )}
    </ul>
  );
}
