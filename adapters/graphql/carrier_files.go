package graphql

import (
	"context"
	"errors"
	"fmt"

	gql "github.com/graphql-go/graphql"

	"github.com/cartwright-dev/cartwright/app/fulfilling"
	"github.com/cartwright-dev/cartwright/app/operation"
	"github.com/cartwright-dev/cartwright/app/querying"
	"github.com/cartwright-dev/cartwright/domain/media"
)

// carrierImport is the field by which tracking numbers are taken in. The file that goes the other way has none: it would have
// to be text within text, in memory as a whole.
const carrierImport = "carrierFileImport"

// carrierFiles adds the field where such files are taken. It errors where a field has the name already.
func (b *builder) carrierFiles(files *fulfilling.CarrierFiles, mutations gql.Fields) error {
	if files == nil {
		return nil
	}
	if mutations[carrierImport] != nil {
		return fmt.Errorf("there is a field %s already", carrierImport)
	}
	name := capital(carrierImport) + "Result"
	mutations[carrierImport] = &gql.Field{
		Type:        gql.NewObject(gql.ObjectConfig{Name: name, Fields: b.members(name, fulfilling.CarrierReportFields)}),
		Description: "Take tracking numbers in from a CSV or XLSX file of a carrier. The same file again changes nothing.",
		Args: gql.FieldConfigArgument{
			fileField: {Type: gql.NewNonNull(uploadScalar), Description: "The file, at most 25 MiB and 100,000 rows."},
			argKey:    {Type: gql.String, Description: "16 to 255 visible characters; the same file again under it is answered again."},
		},
	}
	b.keyed[carrierImport] = true
	b.roots[carrierImport] = func(ctx context.Context, r *run, f *planned) (any, error) { return r.importCarrierFile(ctx, files, f) }
	return nil
}

func (r *run) importCarrierFile(ctx context.Context, files *fulfilling.CarrierFiles, f *planned) (_ any, err error) {
	call, _, err := r.operationCall(&operation.Operation{At: operation.Root}, f)
	if err != nil {
		return nil, err
	}
	if err := files.MayImport(call.Principal); err != nil {
		return nil, err
	}
	up, _ := f.args[fileField].(*querying.Upload)
	if up == nil {
		return nil, media.ErrNoFile
	}
	file, err := up.Open()
	if err != nil {
		return nil, err
	}
	sheet, err := files.Open(file)
	if err != nil {
		return nil, err
	}
	answer, err := files.Import(ctx, call, sheet)
	if err := errors.Join(err, sheet.Close()); err != nil {
		return nil, err
	}
	if answer.Replayed {
		callFrom(r).tellReplay(f.key)
	}
	if answer.Fault != nil {
		return nil, replayed{answer.Fault, answer.RequestID}
	}
	return readTree(answer.Body)
}
