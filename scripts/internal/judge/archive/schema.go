package archive

import (
	"encoding/json"
	"fmt"
)

// A SchemaError means that a file of the branch has another schema than this tool reads. The file is
// complete, and was written for another version.
type SchemaError struct{ Seen, Read int }

func (e SchemaError) Error() string {
	if e.Seen > 0 && e.Seen < e.Read {
		return fmt.Sprintf("older schema %d; this tool reads schema %d: scripts/bench site in a checkout of the commit that was measured shows it", e.Seen, e.Read)
	}
	return fmt.Sprintf("schema %d; this tool reads schema %d", e.Seen, e.Read)
}

// Unread returns the reason why a line cannot be decoded. It is err, or a SchemaError, since another schema
// may have other keys.
func Unread(line []byte, read int, err error) error {
	var trendRun struct{ Schema int }
	if json.Unmarshal(line, &trendRun) == nil && trendRun.Schema > 0 && trendRun.Schema != read {
		return SchemaError{trendRun.Schema, read}
	}
	return err
}
