"""python export.py WEIGHTS.pt OUT.onnx: writes the point judge as ONNX with weights of 8 bits, and compares it with torch."""
import os
import sys
import tempfile

import numpy as np
import onnx
import onnxruntime
import torch
import torch.nn as nn
from onnxruntime.quantization.matmul_nbits_quantizer import MatMulNBitsQuantizer

from model import CrossEncoder

weights, out = sys.argv[1:3]
net = CrossEncoder().load_weights(weights).eval()
class Q8Embedding(nn.Module):
    """Rows of 8 bits, each with a scale of its own."""
    def __init__(self, e):
        super().__init__()
        s=e.weight.detach().abs().amax(1,keepdim=True)/127
        self.register_buffer('rows',torch.round(e.weight.detach()/s).to(torch.int8)); self.register_buffer('scale',s)
    def forward(self,ids): return self.rows[ids].float()*self.scale[ids]
full=os.path.join(tempfile.mkdtemp(),'full.onnx')
ids=torch.randint(1,30000,(2,40)); ids[1,30:]=0; seg=torch.zeros_like(ids); seg[:,20:]=1
with torch.no_grad(): expected=net(ids,seg).numpy()
net.tok=Q8Embedding(net.tok); net.pos=Q8Embedding(net.pos)
shape={0:torch.export.Dim('batch',min=1,max=256),1:torch.export.Dim('length',min=2,max=512)}
torch.onnx.export(net,(ids,seg),full,input_names=['input_ids','token_type_ids'],output_names=['logits'],dynamic_shapes={'ids':shape,'seg':shape},dynamo=True,external_data=False,opset_version=18)
m=onnx.load(full)
q=MatMulNBitsQuantizer(m,bits=8,block_size=128,is_symmetric=True,accuracy_level=4)
q.process(); q.model.save_model_to_file(out)
s=onnxruntime.InferenceSession(out,providers=['CPUExecutionProvider'])
a=s.run(None,{'input_ids':ids.numpy(),'token_type_ids':seg.numpy()})[0]
print(os.path.getsize(out), 'bytes, largest difference of logits', np.abs(a - expected).max())
