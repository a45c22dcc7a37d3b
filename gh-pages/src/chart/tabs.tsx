/** One of a few, as radio buttons: arrows choose, as everywhere. */
export function Choice<T extends string>({
  legend,
  name,
  values,
  chosen,
  onChoose,
  label,
}: {
  legend: string;
  name: string;
  values: readonly T[];
  chosen: T;
  onChoose: (v: T) => void;
  label?: (v: T) => string;
}) {
  return (
    <fieldset class="choice controls">
      <legend>{legend}</legend>
      <div class="row">
        {values.map((v) => (
          <label class="pill">
            <input
              type="radio"
              name={name}
              value={v}
              checked={v === chosen}
              onChange={() => onChoose(v)}
            />{' '}
            {label?.(v) ?? v}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
